// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// An update as it was published: the exact bytes of its event, and the values by which the store finds it.
struct StoredUpdate: Hashable, Sendable {
    var widget: WidgetID
    var range: SequenceRange
    var result: UpdateResult
    /// The offset in the stream of all widgets.
    var offset: UInt64
    /// The event's JSON.
    var event: Data

    var topic: Topic { .update(result, widget) }

    /// Returns the event's JSON, with the event's sequence-number range extended downwards to `first`.
    ///
    /// The event then also covers earlier updates of the widget, which are no longer stored.
    func bytes(startingAt first: SequenceNumber) throws -> Data {
        try WireJSON.encode(WireJSON.decode(Event<Update>.self, from: event).starting(at: first))
    }
}
