// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceEngine
import WidgetSchema

@testable import Cache

/// The cache: its engine with a store that may fail.
final class CacheProcess: EngineProcess<SimulatedCacheCore, CacheProcess.Store, NoWorkers> {
    /// The store from the view of one process.
    struct Store: ServiceStore {
        unowned let process: CacheProcess
        let token: Int

        private var memory: CacheMemory { process.memory }

        var reader: Store { self }
        var ownership: Ownership? { process.ownership(token) }

        func load() throws(StoreFailure) -> CacheState {
            try process.connect(token)
            var state = memory.tables.state
            state.hasForeignLeases = process.hasForeignLeases && process.variant != .leasesOfAnotherClock
            if process.variant == .clockForgets {
                // As if the current day had begun with the process.
                for id in state.widgets.keys { state.widgets[id]?.committed = nil }
            }
            return state
        }

        func commit(_ writes: [SimulatedCacheCore.Write]) throws(StoreFailure) {
            guard process.variant == .twoTransactions else {
                return try process.committing(token, isEmpty: writes.isEmpty) { process.write(writes) }
            }
            let (content, cycles) = (writes.filter { !$0.isOfACycle }, writes.filter(\.isOfACycle))
            try process.committing(token, isEmpty: content.isEmpty) { process.write(content) }
            try process.committing(token, isEmpty: cycles.isEmpty) { process.write(cycles) }
        }

        func setPaused(_ paused: Bool) {}
    }

    private static let pageBytes = 6000
    private static let recordBytes = 300

    private var memory: CacheMemory { server as? CacheMemory ?? simulation.cacheStore }
    private var store: Store?
    private var plan: CachePlan?
    private var isConfigured = true
    /// A Boolean value that indicates whether the ends of the leases are those of the process before.
    private(set) var hasForeignLeases = false
    /// The clock's difference when leases were written last; after the clock was set, they get new ends.
    private var committedOffset: Int64 = 0
    private var requesters: [RequesterID: IncomingRequest] = [:]
    private var headsMessages = 0
    private var nextRequester: RequesterID = 0

    init(_ simulation: Simulation, number: Int, waits: Bool = false) {
        super.init(simulation, service: .cache, number: number, subscriptions: [.fetched], waits: waits)
    }

    override var servers: [SimulatedServer] { simulation.cacheServers.reachable }

    /// The clocks of two machines differ, until somebody sets them.
    override var clockOffset: Int64 {
        simulation.hasClockDifference && number % 2 == 1 && simulation.isChaotic ? Self.clockDifference : 0
    }
    private static let clockDifference: Int64 = 20_000

    override func succeeds() { hasForeignLeases = true }

    override func makeEngine() -> ServiceEngine {
        // A standby reads the configuration when it takes over.
        (plan, isConfigured) = (simulation.world.currentPlan, true)
        let store = Store(process: self, token: takeOver())
        self.store = store
        return Engine(store: store, pool: NoWorkers())
    }

    override func begin() {
        plan = simulation.world.currentPlan
        (isConfigured, hasForeignLeases, requesters) = (true, false, [:])
        super.begin()
    }

    override var setup: SimulatedCacheSetup {
        SimulatedCacheSetup(
            cache: CacheSetup(plan: plan ?? simulation.world.currentPlan, nonce: nonce),
            variant: variant,
            process: UInt64(number) << 32 + UInt64(generation)
        )
    }

    override var isFenced: Bool { store.map { $0.token != memory.row.token } ?? false }

    override func discarded() { requesters = [:] }

    func configurationChanged() {
        guard isAlive else { return }
        isConfigured = false
        run()
    }

    override var deadline: Int64? { isConfigured ? super.deadline : simulation.now }

    // MARK: Inputs

    override func decide(_ inputs: [Input]) {
        if isWaiting {
            isConfigured = true
            return super.decide(inputs)
        }
        var configured: [SimulatedCacheCore.Input] = []
        if !isConfigured {
            isConfigured = true
            let plan = simulation.world.currentPlan
            self.plan = plan
            configured = [.cache(.configure(plan))]
        }
        decide(configured + inputs.compactMap(input))
    }

    override func input(_ input: Input) -> SimulatedCacheCore.Input? {
        switch input {
        case .message(let message):
            guard case .fetched(let source, let fetched, let contents, let fetch, let observed) = message.body else {
                return nil
            }
            return .fetched(source, fetched, contents: contents, fetch: fetch, observed: observed)
        case .bus(.request(let request)): return translate(request).map { .cache($0) }
        case .bus(.publisherConnected(again: true)): return .cache(.reconnected)
        case .bus: return nil
        }
    }

    private func translate(_ request: IncomingRequest) -> CacheInput? {
        guard let (body, deadline) = simulation.requests[request.id] else { return nil }
        nextRequester += 1
        requesters[nextRequester] = request
        switch body {
        case .lease(let lease):
            return .lease(nextRequester, requestID: request.id.rawValue, deadlineMilliseconds: deadline, lease)
        case .command(let command): return .command(nextRequester, deadlineMilliseconds: deadline, command)
        case .refreshed(let from): return .replay(nextRequester, ReplayRequest(from: from))
        case .refreshedLast(let widgets): return .snapshot(nextRequester, SnapshotRequest(widgets: widgets))
        case .shown(let shown): return .shown(nextRequester, shown)
        case .confirm(let confirm):
            if variant == .confirmedByFencedCache, isFenced {
                let heads = confirm.widgets.mapValues { SequenceNumber($0.sequence.number + 90_000_000) }
                let answer = ConfirmAnswer(heads: heads, raised: heads.keys.sorted())
                reply(nextRequester) { reply(to: $0, .confirm(answer)) }
                return nil
            }
            return .confirm(nextRequester, confirm)
        case .laidOut, .render, .updates, .updatesSince, .updatesLast: return nil
        }
    }

    // MARK: Commit

    private func write(_ writes: [SimulatedCacheCore.Write]) {
        var ofCache: [CacheWrite] = []
        var applied: [Oracle.Application] = []
        var areGivenBack = false
        for write in writes {
            switch write {
            case .cache(let write): ofCache.append(write)
            case .applied(let application): applied.append(application)
            case .leasesReturned: areGivenBack = true
            case .forget(let widget): memory.forget(widget)
            }
        }
        let written = variant == .leasesInMemory ? ofCache.filter { !Self.isOfALease($0) } : ofCache
        memory.apply(written, history: simulation.faults.history)
        simulation.oracle.cacheCommits(
            ofCache,
            applied,
            areGivenBack: areGivenBack,
            on: memory,
            clockOffset: batchClockOffset,
            extendsLeases: hasForeignLeases || batchClockOffset != committedOffset
        )
        if ofCache.contains(where: Self.isOfALease) { committedOffset = batchClockOffset }
        if !writes.isEmpty { hasForeignLeases = false }
    }

    private static func isOfALease(_ write: CacheWrite) -> Bool {
        switch write {
        case .saveLease, .endLease: true
        default: false
        }
    }

    // MARK: Effects

    override func carryOut(_ effect: CacheEffect) {
        switch effect {
        case .publish(let cycle, _): publish(cycle.event)
        case .republish(let widget, let sequence, let content):
            if let kept = memory.cycles(of: widget, from: sequence).first, kept.range.sequence == sequence,
                kept.newContent == content
            {
                publish(kept.event)
            }
        case .publishHeads(let heads, _):
            for (widget, head) in heads { simulation.oracle.publishesHead(.cache, widget, head.sequence) }
            headsMessages += 1
            publish(Message(.cacheHeads(heads, id: "\(nonce)-\(headsMessages)")))
        case .answerLease(let requester, let answer): reply(requester) { reply(to: $0, .lease(answer)) }
        case .answerCycle(let requester, let answer): reply(requester) { reply(to: $0, .cycle(answer)) }
        case .answerConfirm(let requester, let answer): reply(requester) { reply(to: $0, .confirm(answer)) }
        case .answerShown(let requester, let answer): reply(requester) { reply(to: $0, .shown(answer)) }
        case .publishSchedule(let schedule, _) where simulation.panels.arePresent:
            headsMessages += 1
            publish(Message(.schedule(schedule, id: "\(nonce)-\(headsMessages)")))
        case .answerError(let requester, let error): reply(requester) { reply(to: $0, error: error) }
        case .forgetRequester(let requester): requesters[requester] = nil
        case .answerReplay(let requester, let from):
            reply(requester) { request in
                answer(request, of: Array(from.keys)) { widget in
                    let from = from[widget] ?? .zero
                    let kept = memory.cycles(of: widget, from: from)
                    switch variant {
                    case .withoutRanges: return kept
                    case .onlyTheLastRecord where (kept.first?.range.first ?? 0) > max(from, 1):
                        return kept.last.map { [$0.starting(at: max(from, 1))] } ?? []
                    default: return Replay.cut(kept, from: from)
                    }
                }
            }
        case .answerSnapshot(let requester, let widgets):
            reply(requester) { request in
                answer(request, of: Array(widgets)) { widget in Array(memory.cycles(of: widget, from: 0).suffix(1)) }
            }
        default: break
        }
    }

    override func refuse(_ input: SimulatedCacheCore.Input) {
        switch input {
        case .cache(.lease(let requester, _, _, _)), .cache(.command(let requester, _, _)),
            .cache(.replay(let requester, _)),
            .cache(.snapshot(let requester, _)), .cache(.confirm(let requester, _)), .cache(.shown(let requester, _)):
            reply(requester) { reply(to: $0, error: RequestError(.failed, "The store cannot be used.")) }
        default: break
        }
    }

    private func reply(_ requester: RequesterID, _ send: (IncomingRequest) -> Void) {
        if let request = requesters.removeValue(forKey: requester) { send(request) }
    }

    private func publish(_ event: Event<Refreshed>) {
        var content: Data?
        if let reference = event.data.content, event.data.contentSequence == event.range?.sequence {
            content = memory.contents[reference.digest]
        }
        if let widget = event.widget, let range = event.range {
            simulation.oracle.publishes(.cache, widget, range.sequence)
        }
        publish(Message(.refreshed(event, content)))
    }

    private func answer(_ request: IncomingRequest, of widgets: [WidgetID], _ records: (WidgetID) -> [CacheMemory.Kept])
    {
        let page = Page(of: widgets, limit: Self.pageBytes) { widget in
            records(widget).map { ($0, Self.recordBytes) }
        }
        var seen: Set<ContentDigest> = []
        let references = page.records.compactMap(\.event.data.content).filter { seen.insert($0.digest).inserted }
        let events = page.records.map { record in
            var event = record.event
            event.id += Event<Refreshed>.fullSuffix
            return event
        }
        reply(
            to: request,
            .records(
                Records(records: events, contents: references, more: page.more),
                references.compactMap { memory.contents[$0.digest] }
            )
        )
    }
}

extension SimulatedCacheCore.Write {
    fileprivate var isOfACycle: Bool {
        switch self {
        case .cache(.keep), .cache(.saveWidget): true
        default: false
        }
    }
}
