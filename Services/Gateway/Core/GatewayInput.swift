// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The inputs of the gateway's core.
enum GatewayInput: Sendable {
    /// All subscriptions are active for the first time.
    case subscribed
    /// The connection was lost and restored; the messages sent in between are missing.
    case resubscribed
    /// A live update, with its bytes.
    case update(Event<Update>, json: Data)
    /// The position of the notifier's last update.
    case end(StreamOffset)
    /// A page of the notifier's snapshot.
    case snapshot(Records<Update>)
    case snapshotFailed
    /// A page of the replay that `askUpdates` requested.
    case replayed(Records<Update>)
    /// A replay failed.
    ///
    /// `isUnknown` means that the notifier's stream does not have the position.
    case replayFailed(isUnknown: Bool)
}

/// The effects of the gateway's core, in order.
enum GatewayEffect: Sendable {
    /// Requests the page of the notifier's snapshot after a widget.
    case askSnapshot(after: WidgetID?)
    /// Requests the updates after a position from the notifier.
    case askUpdates(since: StreamOffset)
    /// Starts a new epoch: readers are sent the stream from this position on.
    case begin(at: StreamOffset)
    /// Sets a widget's state without sending an event to readers.
    case show(StreamedUpdate)
    /// Publishes the next update of the stream: it becomes the widget's state and is sent to the readers.
    case publish(StreamedUpdate)
    /// Declares the gateway ready: the states of all widgets are known.
    case becomeReady
    case note(Note)

    /// The occurrences that are counted and logged, each with its widget, event id or reason.
    enum Note: Sendable, Equatable {
        case duplicate(WidgetID)
        case gap(WidgetID)
        case implausible(WidgetID)
        /// An event with this id that lacks its widget, its cycles or its offset.
        case malformed(String)
        /// The notifier's stream has another epoch: its store was restored or replaced.
        case otherEpoch(String)
    }
}
