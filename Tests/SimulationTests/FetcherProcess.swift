// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import SourceFetching
import WidgetSchema

@testable import Fetcher

/// A fetcher: its core, between the cache and the simulated origins.
final class FetcherProcess: SimulatedProcess {
    private var core = FetcherCore()
    private var asks: [RequestID: AskNumber] = [:]
    private var startedAt: Int64 = 0
    private var ended: [(Lease, Fetched, [Data])] = []
    /// Which fetch an outcome is of, and when the origin was read.
    private var marks: [LeaseID: (fetch: Int, observed: Int64)] = [:]

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: .fetcher, number: number, subscriptions: [])
    }

    override func begin() {
        var limits = FetcherLimits()
        limits.slots = 2
        limits.requestDeadline = 4000
        core = FetcherCore(limits: limits)
        startedAt = simulation.now
        (asks, ended, marks) = ([:], [], [:])
    }

    override func end() { simulation.origin.abort(allOf: number) }

    private var elapsed: Int64 { simulation.now - startedAt }

    override var deadline: Int64? {
        ended.isEmpty ? core.nextDeadline.map { $0 + startedAt } ?? simulation.now + 1000 : simulation.now
    }

    /// An origin has answered.
    func fetched(_ lease: Lease, _ answer: (Fetched, [Data]), fetch: Int, observed: Int64) {
        marks[lease.id] = (fetch, observed)
        ended.append((lease, answer.0, answer.1))
        run()
    }

    override func decide(_ inputs: [Input]) {
        for input in inputs {
            switch input {
            case .bus(.answer(let id, let json, _)):
                guard let number = asks.removeValue(forKey: id) else { continue }
                guard case .lease(let answer) = simulation.answer(json) else { continue }
                handle(.leases(number, answer))
            case .bus(.requestFailed(let id, _)):
                if let number = asks.removeValue(forKey: id) { handle(.askFailed(number)) }
            case .bus, .message: break
            }
        }
        let outcomes = ended
        ended = []
        for (lease, fetched, contents) in outcomes {
            handle(.fetched(lease.id, FetchOutcome(data: fetched, contents: contents)))
        }
        handle(.tick)
    }

    private func handle(_ input: FetcherInput) {
        for action in core.handle(input, now: elapsed) { then { [self] in act(action) } }
    }

    private func act(_ action: FetcherAction) {
        switch action {
        case .ask(let number, let request):
            if let id = self.request(.cache, .lease(request), deadline: 4000) { asks[id] = number }
        case .fetch(let lease, _): simulation.origin.fetch(lease, for: self)
        case .abort(let lease):
            guard simulation.settings.variant != .withoutDeadline, let fetch = simulation.origin.fetch(for: lease)
            else { return }
            simulation.origin.abort(fetch)
        case .publish(let source, let outcome):
            guard let (fetch, observed) = marks[outcome.data.lease] else { return }
            let contents = Dictionary(zip(outcome.data.contents.map(\.digest), outcome.contents)) { first, _ in first }
            publish(Message(.fetched(source, outcome.data, contents: contents, fetch: fetch, observed: observed)))
        case .count: break
        }
    }
}
