// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// The settings with which a gateway's core is created.
struct GatewaySetup: Sendable {
    /// The maximum number of updates from before the snapshot that the gateway requests when it starts.
    ///
    /// The gateway also requests them after the notifier's stream got another epoch.
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
