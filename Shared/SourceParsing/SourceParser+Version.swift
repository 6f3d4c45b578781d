// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension SourceParser {
    /// Increased with each change of the content that parsers make from the same bytes.
    ///
    /// Content of an earlier version is then fetched in full once.
    public static let version = 3
}
