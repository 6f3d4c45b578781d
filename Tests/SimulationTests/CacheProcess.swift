// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import WidgetSchema

@testable import Cache

/// The cache: its core, and what its shell does with it.
final class CacheProcess: SimulatedProcess {
    private static let storePause: Int64 = 1000
    private static let pageBytes = 6000
    private static let recordBytes = 300

    private var store: CacheMemory { simulation.cacheStore }
    private var variant: Variant? { simulation.settings.variant }
    private var core: CacheCore?
    private var plan: CachePlan?
    private var token = 0
    private var loads = 0
    private var hasStarted = false
    private var pausedUntil: Int64?
    private var isConfigured = true
    private var askers: [AskerToken: IncomingRequest] = [:]
    private var nextAsker: AskerToken = 0

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: .cache, number: number, subscriptions: [.fetched])
    }

    override func begin() {
        (core, loads, hasStarted, pausedUntil, isConfigured) = (nil, 0, false, nil, true)
        plan = simulation.world.currentPlan
        askers = [:]
        token = store.takeOver()
    }

    func configurationChanged() {
        guard isAlive else { return }
        isConfigured = false
        run()
    }

    override var deadline: Int64? {
        if !isConfigured { return simulation.now }
        guard let core, hasStarted else { return pausedUntil ?? simulation.now }
        let due = core.nextDeadline.map(simulation.virtual)
        return due.map { max($0, pausedUntil ?? $0) } ?? pausedUntil
    }

    override func decide(_ inputs: [Input]) {
        var core = core ?? load()
        self.core = nil
        let now = simulation.wall
        var actions: [CacheAction] = []
        var applied: [Oracle.Application] = []
        if !hasStarted { actions += core.handle(.start, now: now) }
        if !isConfigured {
            isConfigured = true
            let plan = simulation.world.currentPlan
            self.plan = plan
            if variant == .withoutLastCycle {
                for widget in core.state.widgets.keys where plan.widgets[widget] == nil {
                    core.state.widgets[widget] = nil
                    store.forget(widget)
                }
            }
            actions += core.handle(.configure(plan), now: now)
        }
        for input in inputs {
            switch input {
            case .message(let message): actions += apply(message, to: &core, now, &applied)
            case .bus(.request(let request)):
                if let input = translate(request) { actions += core.handle(input, now: now) }
            case .bus(.publisherConnected(again: true)): actions += core.handle(.reconnected, now: now)
            case .bus: break
            }
        }
        actions += core.handle(.tick, now: now)
        if variant == .finalQuarantine {
            for (source, record) in core.state.sources where record.abandonedLeases >= 3 {
                core.schedule.remove(source)
            }
        }
        let outputs = actions.filter { !$0.isWrite || Self.isCycle($0) }
        if variant == .publishBeforeCommit { for action in outputs { then { [self] in perform(action) } } }
        if variant == .twoTransactions {
            let (content, cycles) = (actions.filter { !Self.isOfACycle($0) }, actions.filter(Self.isOfACycle))
            then { [self] in commit(content, core, applied) }
            then { [self] in commit(cycles, core, []) }
        } else {
            then { [self] in commit(actions, core, applied) }
        }
        if variant != .publishBeforeCommit { for action in outputs { then { [self] in perform(action) } } }
    }

    private static func isCycle(_ action: CacheAction) -> Bool {
        if case .cycle = action { return true }
        return false
    }

    private static func isOfACycle(_ action: CacheAction) -> Bool {
        switch action {
        case .cycle, .saveWidget: true
        default: false
        }
    }

    private func load() -> CacheCore {
        loads += 1
        var state = store.tables.state
        if variant == .startAtOne, state.widgets.isEmpty, let plan {
            for (id, widget) in plan.widgets {
                var record = WidgetRecord(widget)
                record.head = 1
                record.isRemoved = true
                state.widgets[id] = record
            }
        }
        if variant == .clockForgets { forgetClocks(&state) }
        let nonce = variant == .leaseIDsAgain ? "same" : "\(nonce)-\(loads)"
        return CacheCore(plan: plan ?? simulation.world.currentPlan, state: state, nonce: nonce)
    }

    /// As if each day had begun with the process.
    private func forgetClocks(_ state: inout CacheState) {
        for id in state.widgets.keys where state.widgets[id]?.instant != nil {
            state.widgets[id]?.instant = simulation.wall
        }
    }

    private func apply(
        _ message: Message,
        to core: inout CacheCore,
        _ now: Instant,
        _ applied: inout [Oracle.Application]
    ) -> [CacheAction] {
        guard case .fetched(let source, var fetched, let contents, let fetch, let observed) = message.body else {
            return []
        }
        let current = core.state.leases[source]
        if variant == .anyLeaseCounts, let current { fetched.lease = current.id }
        let actions = core.handle(.fetched(source, fetched, contents: contents), now: now)
        if actions.contains(.count(.outcomes)) {
            applied.append(
                Oracle.Application(
                    source: source,
                    lease: current?.id,
                    fetch: fetch,
                    observed: fetched.result == .failed ? nil : observed
                )
            )
        }
        return actions
    }

    private func translate(_ request: IncomingRequest) -> CacheInput? {
        guard let (body, deadline) = simulation.requests[request.id] else { return nil }
        nextAsker += 1
        askers[nextAsker] = request
        switch body {
        case .lease(let lease):
            return .lease(
                nextAsker,
                requestID: request.id.rawValue,
                deadlineMilliseconds: deadline,
                lease
            )
        case .command(let command):
            guard variant == .toggles, case .setExpanded = command.command,
                let widget = core?.state.widgets[command.widget] ?? store.tables.state.widgets[command.widget]
            else { return .command(nextAsker, deadlineMilliseconds: deadline, command) }
            // Each copy counts as one, and turns what is there.
            var toggle = command
            toggle.counter = UInt64(nextAsker) + UInt64(generation) << 32
            toggle.client = "\(number)"
            toggle.command = .setExpanded(!widget.interaction.expanded)
            return .command(nextAsker, deadlineMilliseconds: deadline, toggle)
        case .refreshed(let from): return .replay(nextAsker, ReplayRequest(from: from))
        case .refreshedLast(let widgets): return .snapshot(nextAsker, SnapshotRequest(widgets: widgets))
        case .laidOut, .render, .updates, .updatesLast: return nil
        }
    }

    // MARK: Commit

    private func commit(_ actions: [CacheAction], _ core: CacheCore, _ applied: [Oracle.Application]) {
        guard variant == .withoutFencing || token == store.owner else {
            simulation.note("finds that another took over", self)
            isLeaving = isLeaving || simulation.processes.contains { $0 !== self && $0.service == .cache && $0.isAlive }
            return crash()
        }
        let fails = simulation.isChaotic && simulation.faultDice.chance(simulation.faults.failedCommit)
        let isWritten = !fails || simulation.faultDice.chance(0.5)
        if isWritten {
            let written = variant == .leasesInMemory ? actions.filter { !Self.isOfALease($0) } : actions
            store.commit(written, history: simulation.faults.history)
            simulation.oracle.cacheCommits(actions, applied)
        }
        guard fails else {
            self.core = core
            hasStarted = true
            pausedUntil = nil
            return
        }
        simulation.note("a commit fails, and is \(isWritten ? "" : "not ")there", self)
        discardSteps()
        askers = [:]
        if variant == .withoutReload {
            self.core = core
            hasStarted = true
        } else {
            hasStarted = false
            pausedUntil = simulation.now + Self.storePause
        }
    }

    private static func isOfALease(_ action: CacheAction) -> Bool {
        switch action {
        case .saveLease, .endLease: true
        default: false
        }
    }

    // MARK: Out

    private func perform(_ action: CacheAction) {
        switch action {
        case .cycle(let event): publish(event)
        case .republish(let widget, let sequence):
            if let kept = store.cycles(of: widget, from: sequence).first, kept.range.sequence == sequence {
                publish(kept.event)
            }
        case .publishHeads(let heads): publish(Message(.cacheHeads(heads)))
        case .answerLease(let asker, let answer): reply(asker) { reply(to: $0, .lease(answer)) }
        case .answerCycle(let asker, let answer): reply(asker) { reply(to: $0, .cycle(answer)) }
        case .answerError(let asker, let error): reply(asker) { reply(to: $0, error: error) }
        case .forgetAsker(let asker): askers[asker] = nil
        case .answerReplay(let asker, let from):
            reply(asker) { request in
                answer(request, of: Array(from.keys)) { widget in
                    let from = from[widget] ?? .zero
                    let kept = store.cycles(of: widget, from: from)
                    switch variant {
                    case .withoutRanges: return kept
                    case .onlyTheLastRecord where (kept.first?.range.first ?? 0) > max(from, 1):
                        return kept.last.map { [$0.starting(at: max(from, 1))] } ?? []
                    default: return Replay.cut(kept, from: from)
                    }
                }
            }
        case .answerSnapshot(let asker, let widgets):
            reply(asker) { request in
                answer(request, of: Array(widgets)) { widget in
                    store.cycles(of: widget, from: core?.state.widgets[widget]?.head ?? .zero)
                }
            }
        default: break
        }
    }

    private func reply(_ asker: AskerToken, _ send: (IncomingRequest) -> Void) {
        if let request = askers.removeValue(forKey: asker) { send(request) }
    }

    private func publish(_ event: Event<Refreshed>) {
        var content: Data?
        if let reference = event.data.content, event.data.contentSequence == event.range?.sequence {
            content = store.contents[reference.digest]
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
                references.compactMap { store.contents[$0.digest] }
            )
        )
    }
}
