// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The data of the first event that a reader receives in its event stream.
struct StreamStart: Codable, Hashable, Sendable {
    /// A Boolean value that indicates whether the stream may lack updates that followed the event `since`.
    ///
    /// If it is true, the state of each widget follows this first event.
    var gap: Bool
    /// The event id that the reader sent to resume the stream; absent if the reader sent none.
    var since: String?
    /// The event id of the stream's newest update; empty if the gateway does not know this id yet.
    var at: String
    /// The number of widgets that the stream shows: those that match the reader's filters of widgets and displays.
    var widgets: Int
}
