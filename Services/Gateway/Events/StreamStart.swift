// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The data of a stream's first event.
struct StreamStart: Codable, Hashable, Sendable {
    /// A Boolean value that indicates whether updates between `since` and the first one sent may be missing.
    ///
    /// The state of each widget follows then.
    var gap: Bool
    /// The id that the reader gave.
    var since: String?
    /// The id of the stream's present end.
    var at: String
    /// The number of widgets that the reader's filter lets through.
    var widgets: Int
}
