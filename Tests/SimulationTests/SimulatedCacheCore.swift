// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import WidgetSchema

@testable import Cache

/// The values that the simulated cache's core needs besides the stored state.
struct SimulatedCacheSetup {
    var cache: CacheSetup
    var variant: Variant?
    /// A value that differs for each start of each process.
    var process: UInt64
}

/// The cache's core with reports to the oracle about the applied outcomes; it breaks the rule of a variant.
struct SimulatedCacheCore: ServiceCore {
    typealias State = CacheState
    typealias Setup = SimulatedCacheSetup
    typealias Effect = CacheEffect
    typealias Work = Never
    typealias Done = Never

    enum Input {
        case cache(CacheInput)
        /// An outcome with its fetch and the time at which the origin was read.
        case fetched(SourceID, Fetched, contents: [ContentDigest: Data], fetch: Int, observed: Int64)
    }

    enum Write {
        case cache(CacheWrite)
        /// An outcome was applied.
        case applied(Oracle.Application)
        case leasesReturned
        case forget(WidgetID)
    }

    private var core: CacheCore
    private let variant: Variant?
    private let process: UInt64

    init(_ state: CacheState, setup: SimulatedCacheSetup, load: UInt64) {
        let nonce = setup.variant == .leaseIDsAgain ? "same" : "\(setup.cache.nonce)-\(load)"
        core = CacheCore(plan: setup.cache.plan, state: state, nonce: nonce)
        (variant, process) = (setup.variant, setup.process)
    }

    var nextDeadline: Deadline? { core.nextDeadline }

    mutating func start(now: ClockReading) -> Decisions { told(core.start(now: now)) }

    mutating func endBatch(now: ClockReading) -> Decisions {
        let step = told(core.endBatch(now: now))
        if variant == .finalQuarantine {
            for (source, record) in core.state.sources.inOrder where record.abandonedLeases >= 3 {
                core.schedule.remove(source)
            }
        }
        return step
    }

    mutating func clockChanged(by change: Duration, now: ClockReading) -> Decisions {
        told(core.clockChanged(by: change, now: now))
    }

    mutating func read(_ input: Input) -> CacheEffect? {
        guard case .cache(let input) = input else { return nil }
        return core.read(input)
    }

    mutating func handle(_ input: Input, now: ClockReading) -> Decisions {
        switch input {
        case .cache(.configure(let plan)): return configure(plan, now: now)
        case .cache(.command(let requester, let deadline, let request)):
            let request = toggled(request, requester)
            return told(core.handle(.command(requester, deadlineMilliseconds: deadline, request), now: now))
        case .cache(.shown(let requester, _)) where variant == .shownForgotten:
            return Decisions(effects: [.answerShown(requester, ShownAnswer(wanted: []))])
        case .cache(let input): return told(core.handle(input, now: now))
        case .fetched(let source, var fetched, let contents, let fetch, let observed):
            let current = core.state.leases[source]
            if variant == .anyLeaseCounts, let current { fetched.lease = current.id }
            var step = told(core.handle(.fetched(source, fetched, contents: contents), now: now))
            if step.effects.contains(.count(.outcomes)) {
                let application = Oracle.Application(
                    source: source,
                    lease: current?.id,
                    fetch: fetch,
                    observed: fetched.result == .failed ? nil : observed
                )
                step.writes.append(.applied(application))
            }
            return step
        }
    }

    private mutating func configure(_ plan: CachePlan, now: ClockReading) -> Decisions {
        var forgotten: [WidgetID] = []
        if variant == .withoutLastCycle {
            forgotten = core.state.widgets.keys.filter { plan.widgets[$0] == nil }
            for widget in forgotten { core.state.widgets[widget] = nil }
        }
        var step = told(core.handle(.configure(plan), now: now))
        step.writes.insert(contentsOf: forgotten.map { .forget($0) }, at: 0)
        return step
    }

    /// Changes a command so that each copy of it counts as one and toggles the current state.
    private func toggled(_ request: CommandRequest, _ requester: RequesterID) -> CommandRequest {
        guard variant == .toggles, case .setExpanded = request.command, let widget = core.state.widgets[request.widget]
        else { return request }
        var toggle = request
        toggle.counter = UInt64(requester)
        toggle.client = "\(process)-\(requester)"
        toggle.command = .setExpanded(!widget.interaction.expanded)
        return toggle
    }

    private func told(_ step: Step<CacheWrite, Never, CacheEffect>) -> Decisions {
        var writes = step.writes.map { Write.cache($0) }
        if step.effects.contains(.count(.returnedLeases)) { writes.append(.leasesReturned) }
        return Decisions(writes: writes, effects: step.effects)
    }
}
