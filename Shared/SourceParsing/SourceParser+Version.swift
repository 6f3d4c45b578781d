// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension SourceParser {
    /// The version of the parsers; it must be increased whenever they produce different content from the same bytes.
    ///
    /// If the content of a source comes from another version, its next request has no conditions, so that the origin
    /// sends the whole document again.
    public static let version = 5
}
