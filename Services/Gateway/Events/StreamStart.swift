// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The data of a stream's first event.
struct StreamStart: Codable, Hashable, Sendable {
    /// A Boolean value that indicates whether updates between `since` and the first sent one may be missing.
    ///
    /// If so, the state of each widget follows.
    var gap: Bool
    /// The id from which the reader resumes.
    var since: String?
    /// The id of the current end of the stream.
    var at: String
    /// The number of widgets that match the reader's filter.
    var widgets: Int
}
