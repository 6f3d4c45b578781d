// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The inputs of the gateway's core.
enum GatewayInput: Sendable {
    /// All subscriptions hold for the first time.
    case subscribed
    /// The connection was lost and is back.
    case resubscribed
    /// A live update, with its bytes.
    case update(Event<Update>, json: Data)
    /// The position of the notifier's last update.
    case end(StreamOffset)
    /// A page of the notifier's snapshot.
    case snapshot(Records<Update>)
    case snapshotFailed
    /// A page of the updates behind a position.
    case replayed(Records<Update>)
    /// `isUnknown`: the notifier's stream does not have the position.
    case replayFailed(isUnknown: Bool)
}

/// The effects of the gateway's core, in order.
enum GatewayEffect: Sendable {
    /// Ask the notifier for the page of its snapshot behind a widget.
    case askSnapshot(after: WidgetID?)
    /// Ask the notifier for the updates behind a position.
    case askUpdates(since: StreamOffset)
    /// The stream is followed from this position on, in a new epoch.
    case begin(at: StreamOffset)
    /// A widget's state; it is not an event of the stream.
    case show(StreamedUpdate)
    /// The update is the next of the stream: it becomes the widget's state and goes to the readers.
    case publish(StreamedUpdate)
    /// The state of all widgets is known.
    case becomeReady
    case note(Note)

    /// The events that are counted and logged.
    enum Note: Sendable, Equatable {
        case duplicate(WidgetID)
        case gap(WidgetID)
        case implausible(WidgetID)
        /// An event that names no widget, no cycle or no offset.
        case malformed(String)
        /// The notifier's stream is another one: its store was restored or replaced.
        case otherEpoch(String)
    }
}
