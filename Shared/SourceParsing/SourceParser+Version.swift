// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension SourceParser {
    /// The version of the parsers, increased when they make a different content from the same bytes.
    ///
    /// Contents that an older version made are then requested in full, once.
    public static let version = 5
}
