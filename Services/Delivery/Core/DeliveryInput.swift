// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The reader for which a request to the notifier is made.
enum StreamReader: Hashable, Sendable {
    /// The reader of the stream.
    case stream
    /// The reader of the states of all widgets at the start.
    case states
}

/// The result of an attempt.
struct AttemptResult: Hashable, Sendable {
    var key: LaneKey
    /// The id of the message.
    var message: String
    /// The number of the attempt.
    var attempt: Int
    var outcome: DeliveryOutcome
}

/// An input of the core.
enum DeliveryInput: Sendable {
    case follow(UpdateFollower.Input)
    /// The answer to a request of a reader, or its failure.
    case answered(StreamReader, UpdateFollower.Input)
    /// The answer to the request `number` for the updates of a widget that one destination missed; nil if it failed.
    case replayed(LaneKey, number: UInt64, Records<Update>?)
    case sent(AttemptResult)
    /// A destination has accepted a test message.
    case tested(DestinationName)
    /// The configuration was loaded again.
    case configure(DeliveryPlan)
    case reportRequested(RequesterID, DeliveriesRequest)
    /// A phone or a browser registers, or is removed.
    case deviceRequested(RequesterID, DeviceRequest)
    /// A destination has a connection again, and reported what it has kept; nil for a subject of which it has kept nothing.
    case kept(DestinationName, [DeliverySubject: KeptState?])
}
