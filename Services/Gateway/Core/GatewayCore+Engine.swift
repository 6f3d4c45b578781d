// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// The settings with which a gateway's core is created.
struct GatewaySetup: Sendable {
    /// The maximum number of older updates that the gateway requests from the notifier after a snapshot.
    ///
    /// These are the last updates before the snapshot. The gateway requests them after its first snapshot, and again
    /// after each snapshot with a new epoch.
    var backlog = GatewayCore.defaultBacklog
}

extension GatewayCore: ServiceCore {
    typealias State = NoStore.State
    typealias Input = GatewayInput
    typealias Write = Never
    typealias Effect = GatewayEffect
    typealias Work = Never
    typealias Done = Never

    init(_ state: NoStore.State, setup: GatewaySetup, load: UInt64) { self.init(backlog: setup.backlog) }

    mutating func start(now: ClockReading) -> Decisions { Step() }

    mutating func handle(_ input: GatewayInput, now: ClockReading) -> Decisions {
        Step(effects: handle(input, now: now.wall))
    }

    mutating func endBatch(now: ClockReading) -> Decisions { Step(effects: endBatch(now: now.wall)) }

    var nextDeadline: Deadline? { nextDue.map(Deadline.wall) }
}
