// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import WidgetSchema

/// The setup of a cache's core: everything that it needs besides the stored state.
struct CacheSetup: Sendable {
    var plan: CachePlan
    /// A text that is unique to this process, and with which all lease ids of this process begin.
    var nonce: String
    /// A Boolean value that indicates whether file sources may have changed, because an earlier core could not commit what
    /// followed from it.
    var filesMayHaveChanged = false
}

/// The decisions of the cache's core.
typealias CacheStep = Step<CacheWrite, Never, CacheEffect>

extension CacheCore: ServiceCore {
    typealias State = CacheState
    typealias Input = CacheInput
    typealias Write = CacheWrite
    typealias Effect = CacheEffect
    typealias Work = Never
    typealias Done = Never

    /// Creates a core.
    ///
    /// `load` is a number that is different for each core of a process. It is part of the lease ids, so that two cores
    /// never use the same id.
    init(_ state: CacheState, setup: CacheSetup, load: UInt64) {
        self.init(plan: setup.plan, state: state, nonce: "\(setup.nonce)-\(load)")
        filesMayHaveChanged = setup.filesMayHaveChanged
    }

    mutating func start(now: ClockReading) -> Decisions { handle(.start, now: now.wall) }

    mutating func handle(_ input: CacheInput, now: ClockReading) -> Decisions { handle(input, now: now.wall) }

    mutating func endBatch(now: ClockReading) -> Decisions { handle(.tick, now: now.wall) }

    mutating func clockChanged(by change: Duration, now: ClockReading) -> Decisions {
        let milliseconds = change.wholeMilliseconds
        return Decisions(effects: [.reportClockChange(milliseconds)])
            + handle(.clockJumped(milliseconds), now: now.wall)
    }

    /// Returns the effect that answers a replay or snapshot request; nil for all other inputs.
    ///
    /// The engine also calls this function while writes are paused because the store has failed.
    mutating func read(_ input: CacheInput) -> CacheEffect? {
        switch input {
        case .replay(let requester, let request): return .answerReplay(requester, from: request.from)
        case .snapshot(let requester, let request):
            guard let asked = request.widgets else {
                return .answerSnapshot(requester, index.widgets(after: request.after))
            }
            let known = Set(asked).filter { id in
                state.widgets[id] != nil && request.after.map { id > $0 } ?? true
            }
            return .answerSnapshot(requester, known.sorted()[...])
        default: return nil
        }
    }

    var nextDeadline: Deadline? { nextDue.map(Deadline.wall) }
}
