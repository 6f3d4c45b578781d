// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The version of all executables of this package.
public enum TidingsVersion {
    public static let current = "0.1.0"
}
