// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The address of a source that is a file: `file:` and a path below the configured folder.
public enum FileAddress {
    public static let scheme = "file:"

    /// Returns the path in the address of a file; nil for any other address.
    public static func path(of address: String) -> String? {
        address.hasPrefix(scheme) ? String(address.dropFirst(scheme.count)) : nil
    }
}
