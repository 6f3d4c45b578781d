// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceEngine
import WidgetSchema

@testable import Fetcher
@testable import SourceFetching

/// A fetcher: its engine, between the cache and the simulated origins.
final class FetcherProcess: EngineProcess<FetcherCore, NoStore, NoWorkers> {
    private var asks: [RequestID: LeaseRequestNumber] = [:]
    private var clockStart = ContinuousClock.now
    private var ended: [FetcherInput] = []
    /// For each lease, its fetch, and the time at which the origin was read.
    private var marks: [LeaseID: (fetch: Int, observed: Int64)] = [:]

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: .fetcher, number: number, subscriptions: [])
    }

    override func makeEngine() -> ServiceEngine {
        Engine(store: NoStore(), pool: NoWorkers())
    }

    override var setup: FetcherSetup {
        var limits = FetcherLimits()
        limits.slots = 2
        limits.requestDeadline = .seconds(4)
        return FetcherSetup(limits: limits, clockStart: clockStart)
    }

    override func begin() {
        clockStart = simulation.monotonic
        (asks, ended, marks) = ([:], [], [:])
        super.begin()
    }

    override func end() {
        super.end()
        simulation.origin.abort(allOf: number)
    }

    override var deadline: Int64? { ended.isEmpty ? super.deadline : simulation.now }

    /// Takes the answer of an origin.
    func fetched(_ lease: Lease, _ answer: (Fetched, [Data]), fetch: Int, observed: Int64) {
        marks[lease.id] = (fetch, observed)
        ended.append(.fetched(lease.id, FetchOutcome(data: answer.0, contents: answer.1)))
        run()
    }

    override func decide(_ inputs: [Input]) {
        let outcomes = ended
        ended = []
        decide(inputs.compactMap(input) + outcomes)
    }

    override func input(_ input: Input) -> FetcherInput? {
        switch input {
        case .bus(.answer(let id, let json, _)):
            guard let number = asks.removeValue(forKey: id) else { return nil }
            guard case .lease(let answer) = simulation.answer(json) else { return nil }
            return .leases(number, answer)
        case .bus(.requestFailed(let id, _)):
            return asks.removeValue(forKey: id).map { .leaseRequestFailed($0) }
        case .bus, .message: return nil
        }
    }

    override func carryOut(_ effect: FetcherEffect) {
        switch effect {
        case .ask(let number, let request):
            if let id = self.request(.cache, .lease(request), deadline: 4000) { asks[id] = number }
        case .fetch(let lease, _, _): simulation.origin.fetch(lease, for: self)
        case .abort(let lease):
            guard variant != .withoutDeadline, let fetch = simulation.origin.fetch(for: lease) else { return }
            simulation.origin.abort(fetch)
        case .publish(let source, let outcome):
            guard let (fetch, observed) = marks[outcome.data.lease] else { return }
            let contents = Dictionary(zip(outcome.data.contents.map(\.digest), outcome.contents)) { first, _ in first }
            publish(Message(.fetched(source, outcome.data, contents: contents, fetch: fetch, observed: observed)))
        case .count: break
        }
    }
}
