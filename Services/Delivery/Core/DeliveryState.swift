// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The state in the store.
struct DeliveryState: Sendable {
    var position: StreamOffset?
    var widgets: [WidgetID: SequenceNumber] = [:]
    var destinations: [DestinationName: DestinationRecord] = [:]
    var lanes: [LaneKey: LaneRecord] = [:]
    var devices: [DeviceID: Device] = [:]
    /// The time at which the store was last found to be replaced by an older copy; nil if it never was.
    var restored: BudgetLedger.Restored?

    /// A Boolean value that indicates whether the store was replaced by an older copy, and nothing was compared with the
    /// states of all widgets since: the first commit after a comparison contains a position.
    var wasRestored: Bool { restored != nil && position == nil && !destinations.isEmpty }

    /// Notes that the store was found to be replaced by an older copy, whose position is not that of the last message.
    mutating func restore(at now: Instant) {
        restored = BudgetLedger.Restored(at: now)
        position = nil
    }
}

/// The values that the core needs besides the stored state.
struct DeliverySetup: Sendable {
    var plan: DeliveryPlan
    var limits = DeliveryLimits()
    /// A random number that makes the pauses of several processes differ.
    var seed: UInt64
    /// A Boolean value that indicates whether the subscriptions are active already; false for the first core.
    var isSubscribed = false
}
