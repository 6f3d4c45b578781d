// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// What the gateway's core hears.
enum GatewayInput: Sendable {
    /// All subscriptions hold for the first time.
    case subscribed
    /// The connection was lost and is back.
    case resubscribed
    /// A live update, with its bytes.
    case update(Event<Update>, json: Data)
    case heads([WidgetID: SequenceNumber])
    /// A page of the notifier's snapshot.
    case snapshot(Records<Update>)
    case snapshotFailed
    case replayed(ReplayAsk, Records<Update>)
    case replayFailed(ReplayAsk)
}

/// What the gateway's core wants done, in order.
enum GatewayEffect: Sendable {
    /// Ask the notifier for the page of its snapshot behind a widget.
    case askSnapshot(after: WidgetID?)
    case askReplay(ReplayAsk)
    /// The update is the next of its widget: it becomes the widget's state and goes to the readers.
    case publish(StreamedUpdate)
    /// The state of all widgets is known.
    case becomeReady
    case note(Note)

    /// What is worth counting and logging.
    enum Note: Sendable, Equatable {
        case duplicate(WidgetID)
        case gap(WidgetID)
        case implausible(WidgetID)
        /// An event that names no widget or no cycle, or that cannot be encoded.
        case malformed(String)
    }
}
