// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension SourceParser {
    /// Grows with each change of what parsers make of the same bytes: what an older one made is then asked for in full,
    /// once.
    public static let version = 5
}
