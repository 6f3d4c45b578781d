// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine

/// The values that a notifier's core needs besides the stored state.
struct NotifierSetup: Sendable {
    /// A random text that makes the ids of this process's `NotifierHeads` events unique.
    var nonce: String
    var limits = CatchUpLimits()
    /// The layout instances that the process has heard, also before the core was created.
    ///
    /// Without them, a core that replaces one after a failed commit would use layouts of an older engine until the next
    /// heartbeats.
    var layoutInstances = LayoutInstances()
}

/// The decisions of the notifier's core.
typealias NotifierStep = Step<NotifierWrite, Never, NotifierEffect>

extension NotifierCore: ServiceCore {
    typealias State = NotifierState
    typealias Input = NotifierInput
    typealias Write = NotifierWrite
    typealias Effect = NotifierEffect
    typealias Work = Never
    typealias Done = Never

    init(_ state: State, setup: NotifierSetup, load: UInt64) {
        self.init(state.positions, end: state.end, nonce: "\(setup.nonce)-\(load)", limits: setup.limits)
        engines = setup.layoutInstances
    }

    mutating func start(now: ClockReading) -> Decisions { Step(effects: start(now: now.wall)) }

    mutating func handle(_ input: NotifierInput, now: ClockReading) -> Decisions {
        handle(input, now: now.wall)
    }

    mutating func endBatch(now: ClockReading) -> Decisions { Step(effects: endBatch(now: now.wall)) }

    var nextDeadline: Deadline? { nextDue.map(Deadline.wall) }
}
