// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine

/// The settings with which a gateway's core is created.
struct GatewaySetup: Sendable {
    /// The maximum number of older updates that the gateway requests from the notifier after a snapshot.
    ///
    /// These are the last updates before the snapshot. The gateway requests them after its first snapshot, and again
    /// after each snapshot with a new epoch, so that readers that come from another gateway find the updates that they
    /// missed.
    var backlog: UInt64 = 2_000
}

/// The gateway's core: it follows the notifier's updates.
///
/// It decides nothing else: ``PanelCore`` decides about panels, on an engine of its own.
struct GatewayCore: ServiceCore {
    typealias State = NoStore.State
    typealias Input = UpdateFollower.Input
    typealias Write = Never
    typealias Effect = GatewayEffect
    typealias Work = Never
    typealias Done = Never

    private var follower: UpdateFollower

    init(_ state: NoStore.State, setup: GatewaySetup, load: UInt64) {
        follower = UpdateFollower(from: .snapshot(backlog: setup.backlog), coversNewData: true)
    }

    mutating func start(now: ClockReading) -> Decisions { Step() }

    mutating func handle(_ input: UpdateFollower.Input, now: ClockReading) -> Decisions {
        Step(effects: follower.handle(input, now: now.wall).map { .follow($0) })
    }

    mutating func endBatch(now: ClockReading) -> Decisions {
        var step = Decisions()
        while let request = follower.nextRequest(at: now.wall) { step.effects.append(.request(request)) }
        return step
    }

    var nextDeadline: Deadline? { follower.nextDeadline.map(Deadline.wall) }
}
