// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Read access to the stored updates.
protocol UpdateReader {
    /// Returns the stored updates of a widget from a sequence number on, in ascending order.
    func updates(of widget: WidgetID, from: SequenceNumber) throws -> [StoredUpdate]
    /// Returns the stored updates of all widgets with offsets greater than `offset`, ascending by offset.
    ///
    /// The result has at most `limit` elements.
    func updates(after offset: UInt64, limit: Int) throws -> [StreamUpdate]
    /// Returns the position of the last committed update in the stream of all widgets.
    func end() throws -> StreamOffset
    /// Returns the last update of a widget, or nil if there is none.
    func lastUpdate(of widget: WidgetID) throws -> StoredUpdate?
}

/// An update in the stream of all widgets.
struct StreamUpdate: Hashable, Sendable {
    var update: StoredUpdate
    /// A Boolean value that indicates whether this is the oldest stored update of the widget.
    var isOldest: Bool
}
