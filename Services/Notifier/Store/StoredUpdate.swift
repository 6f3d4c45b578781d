// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// An update as it was published: the exact bytes, with what is needed to find and to send them.
struct StoredUpdate: Hashable, Sendable {
    var widget: WidgetID
    var range: SequenceRange
    var result: UpdateResult
    /// The number in the stream of all widgets.
    var offset: UInt64
    /// The event's JSON.
    var event: Data

    var topic: Topic { .update(result, widget) }

    /// The event's JSON where it answers a replay from an earlier number.
    func bytes(startingAt first: SequenceNumber) throws -> Data {
        try WireJSON.encode(WireJSON.decode(Event<Update>.self, from: event).starting(at: first))
    }
}
