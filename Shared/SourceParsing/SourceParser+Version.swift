// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension SourceParser {
    /// The version of the parsers; it must be increased whenever they produce different content from the same bytes.
    ///
    /// If the stored content of a source was parsed by another version, the next request to the origin has no
    /// conditions, such as `If-None-Match`. The origin therefore sends the whole document again.
    public static let version = 7
}
