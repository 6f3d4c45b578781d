// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The inputs of the gateway's core: messages from the bus, answers of the notifier, and changes of the connection.
enum GatewayInput: Sendable {
    /// All of the gateway's subscriptions on the bus are active for the first time.
    case subscribed
    /// The connection to the bus was lost and restored; messages that were sent in the meantime are missing.
    case resubscribed
    /// The notifier published an update; `json` is the JSON of the event.
    case update(Event<Update>, json: Data)
    /// The notifier reported the position of its last update.
    case end(StreamOffset)
    /// The notifier answered a request for a page of its snapshot.
    case snapshot(Records<Update>)
    case snapshotFailed
    /// The notifier answered a request for updates (`GatewayEffect.askUpdates`) with a page of updates.
    case replayed(Records<Update>)
    /// A request for updates (`GatewayEffect.askUpdates`) failed.
    ///
    /// `isUnknown` is true if the notifier's stream does not contain the requested position.
    case replayFailed(isUnknown: Bool)
}

/// The effects that the gateway's core requests; effects are performed in order.
enum GatewayEffect: Sendable {
    /// Requests a page of the notifier's snapshot: the widgets after `after`, or the first page if `after` is nil.
    case askSnapshot(after: WidgetID?)
    /// Requests from the notifier the updates after a position of the stream.
    case askUpdates(since: StreamOffset)
    /// Starts a new epoch of the stream for readers; all updates after this position are sent in this epoch.
    ///
    /// `states` are the last updates of all widgets, and replace the states of the earlier epoch.
    case begin(at: StreamOffset, states: [StreamedUpdate])
    /// Sets a widget's state without sending an event to readers.
    case show(StreamedUpdate)
    /// Publishes the next update of the stream: sends it to the readers and makes it the widget's state.
    case publish(StreamedUpdate)
    /// Declares the gateway ready: the states of all widgets are known.
    case becomeReady
    case note(Note)

    /// An occurrence that is counted and logged.
    ///
    /// Each case contains the widget, the id of the event, or a reason.
    enum Note: Sendable, Equatable {
        case duplicate(WidgetID)
        case gap(WidgetID)
        case implausible(WidgetID)
        /// An event has no widget, no cycles or no offset; the value is the id of the event.
        case malformed(String)
        /// The notifier no longer has the stream that the gateway follows.
        ///
        /// Usually the notifier's store was restored or replaced. The value is a text for the log, with the position
        /// that does not match.
        case otherEpoch(String)
    }
}
