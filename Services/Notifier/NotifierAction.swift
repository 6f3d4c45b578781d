// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// What the notifier wants done; all that a batch writes is committed before anything else of it happens.
enum NotifierAction: Hashable, Sendable {
    case commit(UpdateCommit)
    case publish(Topic, Data)
    /// Ask the layout service for what is missing.
    case ask(ReplayAsk)
    case answerReplay(UInt64, from: [WidgetID: SequenceNumber])
    case answerSnapshot(UInt64, widgets: ArraySlice<WidgetID>)
    case note(Note)

    /// What is worth counting and telling.
    enum Note: Hashable, Sendable {
        case decided(WidgetID, SequenceNumber, UpdateResult, Reason)
        case duplicate(WidgetID)
        /// The cycle was laid out by an older version than one that is alive, which lays it out, too.
        case olderEngine(WidgetID, version: Int)
        case gap(WidgetID, askFrom: SequenceNumber)
        /// The cache has committed less than was laid out before: its store was restored.
        case producerBehind(WidgetID, position: SequenceNumber)
        /// A consumer has seen a number that this service has not: one of the stores was restored.
        case consumerAhead(WidgetID, asksFor: SequenceNumber)
        /// A cycle or a head has a number that the cache cannot have given; it was dropped.
        case implausible(WidgetID, SequenceNumber)
        case malformed(WidgetID, problem: String)
        /// The update had to be made shorter to fit a client's frame.
        case shortened(WidgetID, bytes: Int)
    }
}
