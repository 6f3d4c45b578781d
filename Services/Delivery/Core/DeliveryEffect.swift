// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// An effect of the core; effects are performed in order.
enum DeliveryEffect: Sendable {
    /// An occurrence that is counted and logged.
    enum Note: Sendable {
        case delivered(LaneKey, attempts: Int)
        case failed(LaneKey, attempts: Int, reason: String, isUnknown: Bool)
        case rejected(LaneKey, reason: String)
        case gone(DestinationName, reason: String)
        /// A device was removed, because its push service no longer accepts its address.
        case deviceGone(DeviceID, reason: String)
        case deviceRegistered(DeviceID)
        /// A device was removed by its owner, because it has not registered for long, or because another one has its address.
        case deviceRemoved(DeviceID)
        case breakerOpened(server: String, until: Instant)
        case merged
        case noData
        /// The limit `DeliveryLimits.lanes` or `DeliveryLimits.lanesOfDevices` is reached.
        case laneLimit(LaneKey)
        case follower(UpdateFollower.Note)
        /// The store was replaced by an older copy.
        case restored
    }

    /// The state of all destinations.
    struct Report: Hashable, Sendable {
        var lanes = 0
        var devices = 0
        var waiting = 0
        var inFlight = 0
        var openServers = 0
        /// The problems that a person must look at, one sentence each.
        var problems: [String] = []
        /// The messages in the last 24 hours that budgets count, and those that they allow at present.
        var spent = 0
        var left = 0
    }

    /// The begin of the reading of updates, or its end if nobody gets them any more (false).
    case reads(Bool)
    case request(StreamReader, UpdateFollower.Request)
    /// Requests the updates of a widget that one destination missed.
    case replay(LaneKey, number: UInt64, WidgetID, from: SequenceNumber)
    case send(LaneKey, DeliveryAttempt)
    /// Sends a message to a registered device.
    case push(LaneKey, DeliveryAttempt, Device)
    case answer(RequesterID, DeliveriesAnswer)
    case answerDevice(RequesterID, Answer<DeviceAnswer>)
    /// The end of the stream is known, or there are no destinations: the service is ready.
    case ready
    case report(Report)
    case note(Note)
}
