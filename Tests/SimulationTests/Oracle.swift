// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

@testable import Cache
@testable import Layout
@testable import LayoutEngine
@testable import Notifier

/// The judge of a run: it knows what was committed and reports violations.
final class Oracle {
    struct Violation: Hashable, Sendable {
        var what: String
        var widget: WidgetID?
        var detail: String
        var at: Int64
    }

    /// An outcome that the cache applied.
    struct Application {
        var source: SourceID
        var lease: LeaseID?
        var fetch: Int
        /// The time at which the origin was read; nil if the read failed.
        var observed: Int64?
    }

    private unowned let simulation: Simulation
    private(set) var violations: [Violation] = []
    private(set) var cycles = 0
    private(set) var seen = 0
    private(set) var ranges = 0
    private(set) var restores = 0
    private var restoredAt: Int64?
    private var grants: [SourceID: (LeaseID, until: Int64)] = [:]
    private var applied: Set<Int> = []
    /// The cycles of each number: one of the current store, and perhaps others of servers that were lost.
    private var truth: [WidgetID: [SequenceNumber: [Event<Refreshed>]]] = [:]
    /// The numbers of the cycles of the current store, since it was put back or promoted last.
    private var committed: [WidgetID: Set<SequenceNumber>] = [:]
    private let renderer = LayoutRenderer(measurer: TypewriterMeasurer())
    private var looks: [DrawingKey: ContentDigest] = [:]
    private var contents: [ContentDigest: ShownContent] = [:]
    /// The contents that any server has stored.
    private var stored: [ContentDigest: Data] = [:]
    /// The cycles that the cache has stored since they were made, and the same for the notifier's updates.
    private var keptCycles: [WidgetID: [SequenceNumber]] = [:]
    private var keptUpdates: [WidgetID: [SequenceNumber]] = [:]
    /// The cycles that only former primaries or earlier stores of the cache have, and the updates that former primaries of
    /// the notifier may have.
    private var lostCycles: [WidgetID: Set<SequenceNumber>] = [:]
    private var lostUpdates: [WidgetID: Set<SequenceNumber>] = [:]
    private var forged: [WidgetID: Set<SequenceNumber>] = [:]
    /// The updates that were `newData`, since the notifier's store was put back last.
    private var newData: [WidgetID: Set<SequenceNumber>] = [:]
    private var changes = ChangeJudge()
    private var marks = StaleMarkJudge()
    /// The sequence numbers that a service has ever published, by widget.
    private var published: [ServiceName: [WidgetID: Set<SequenceNumber>]] = [:]
    /// The widgets that the cache's store must know: those of the last restored store, and those with later cycles.
    private var knownWidgets: Set<WidgetID> = []
    /// A hash of everything that was committed and seen, with the times.
    private(set) var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325

    init(_ simulation: Simulation) { self.simulation = simulation }

    func report(_ what: String, _ widget: WidgetID? = nil, _ detail: String) {
        simulation.note("VIOLATION: \(what): \(detail)", nil, widget)
        violations.append(Violation(what: what, widget: widget, detail: detail, at: simulation.now))
    }

    func report(_ what: String, _ detail: String) { report(what, nil, detail) }

    /// False for some time after a restore, because earlier leases may still be in flight, and while a former primary
    /// is written to, because its owner grants leases, too.
    var judgesFetches: Bool {
        guard simulation.cacheServers.former?.condition != .serving else { return false }
        guard let restoredAt else { return true }
        return simulation.now - restoredAt > 2 * simulation.world.currentPlan.limits.leaseDuration.wholeMilliseconds
    }

    /// Takes a change of the cache's store; `isOtherStore` is false if only a former primary ends.
    func cacheWasRestored(isOtherStore: Bool = true) {
        restores += 1
        restoredAt = simulation.now
        (grants, applied) = ([:], [])
        simulation.panels.cacheWasRestored()
        marks.forget()
        let clock = SequenceNumber(UInt64(max(0, simulation.wall.milliseconds)))
        keptCycles = [:]
        if isOtherStore {
            // A restored cache begins at the clock. After wrong numbers, late messages of earlier cycles may cover new ones.
            for (widget, known) in committed { lostCycles[widget, default: []].formUnion(known.filter { $0 > clock }) }
            committed = [:]
        }
        knownWidgets = Set(simulation.cacheStore.tables.state.widgets.keys)
    }

    /// Takes the end of a former primary, which has acknowledged nothing in synchronous mode.
    func formerPrimaryEnds(_ server: SimulatedServer, of service: ServiceName) {
        guard server.wronglyAcknowledged > 0 else { return }
        report("an acknowledged commit is lost in synchronous mode", "\(server.wronglyAcknowledged) of the \(service)")
    }

    /// Forgets the kept updates after the notifier's store was restored.
    ///
    /// `isFork` is true if a former primary may still have, and replay, the updates until now.
    func notifierWasRestored(isFork: Bool = false) {
        if isFork { for (widget, known) in keptUpdates { lostUpdates[widget, default: []].formUnion(known) } }
        keptUpdates = [:]
        newData = [:]
        changes.forget()
    }

    /// Takes a number that a forged message names; its update has the verdict of no cycle.
    func forges(_ sequence: SequenceNumber, of widget: WidgetID) {
        forged[widget, default: []].insert(sequence)
        lostCycles[widget, default: []].insert(sequence)
    }

    /// Returns whether one of these cycles was committed as `newData`.
    func wasNewData(_ widget: WidgetID, from: SequenceNumber, to: SequenceNumber) -> Bool {
        newData[widget]?.contains { from <= $0 && $0 <= to } ?? false
    }

    // MARK: Commits of the cache

    /// Takes a transaction of the cache.
    ///
    /// `clockOffset` is that of its machine. After a takeover by a standby, the cache `extendsLeases` of the one before;
    /// after its clock was set, its own.
    func cacheCommits(
        _ writes: [CacheWrite],
        _ applications: [Application],
        areGivenBack: Bool,
        on server: CacheMemory,
        clockOffset: Int64,
        extendsLeases: Bool
    ) {
        // Commits to a former primary are lost. Only their sequence numbers count, because these are published.
        guard server === simulation.cacheStore else { return losesCommits(writes, applications, on: server) }
        for application in applications {
            let (source, fetch) = (application.source, application.fetch)
            let before = server.tables.observed[source] ?? -1
            if !applied.insert(fetch).inserted {
                report("a fetch is applied twice", "fetch \(fetch)")
            } else if let observed = application.observed, observed < before {
                report("older content over newer", "fetch \(fetch)")
            }
            if let observed = application.observed { server.observe(source, observed) }
            if application.lease == grants[source]?.0 { grants[source] = nil }
        }
        for write in writes {
            switch write {
            case .saveLease(let source, let lease):
                let until = simulation.virtual(lease.expires) - clockOffset
                simulation.note("\(lease.id) leases \(source) until \(until)")
                if let other = grants[source], other.0 != lease.id, other.until > simulation.now {
                    report("leases of one source overlap", "\(other.0) and \(lease.id)")
                }
                if !extendsLeases, grants[source]?.0 == lease.id, grants[source].map({ $0.until != until }) ?? false {
                    report("a lease's id is used again", "\(lease.id)")
                }
                if grants[source]?.0 != lease.id {
                    simulation.panels.judgeLease(lease.id, of: source, until: until)
                }
                grants[source] = (lease.id, until)
            case .endLease(let source):
                simulation.note("the lease of \(source) ends")
                // A lease that a fetcher has given back has no owner any more. One whose outcome is applied may have been
                // saved before in the same transaction, because the clock was set.
                guard let grant = grants[source] else { continue }
                let isApplied = applications.contains { $0.lease == grant.0 }
                if areGivenBack || isApplied || grant.until <= simulation.now { grants[source] = nil }
            case .forgetSource(let source): grants[source] = nil
            case .keep(let cycle, _):
                let (widget, range, event) = (cycle.widget, cycle.range, cycle.event)
                cycles += 1
                simulation.calm.cacheCommits(range.sequence, of: widget)
                noteCycle(event, range, of: widget)
                if !committed[widget, default: []].insert(range.sequence).inserted {
                    report("one number names two cycles", widget, "\(range.sequence)")
                }
                if let wrong = marks.judge(event.data, of: widget) { report("a mark is wrong", widget, wrong) }
                knownWidgets.insert(widget)
                let history = event.data.cause == .removed ? 1 : simulation.faults.history
                Self.keep(range.sequence, of: widget, history, in: &keptCycles)
            case .storeContent(let digest, let bytes): stored[digest] = bytes
            default: break
            }
        }
    }

    private func noteCycle(_ event: Event<Refreshed>, _ range: SequenceRange, of widget: WidgetID) {
        simulation.note("committed \(range) \(event.data.cause) \(event.data.outcome)", nil, widget)
        mix(widget, range)
        truth[widget, default: [:]][range.sequence, default: []].append(event)
    }

    /// Takes a transaction that only a former primary has.
    private func losesCommits(_ writes: [CacheWrite], _ applications: [Application], on server: CacheMemory) {
        for application in applications {
            if let observed = application.observed { server.observe(application.source, observed) }
        }
        for write in writes {
            switch write {
            case .keep(let cycle, _):
                lostCycles[cycle.widget, default: []].insert(cycle.range.sequence)
                noteCycle(cycle.event, cycle.range, of: cycle.widget)
            case .storeContent(let digest, let bytes): stored[digest] = bytes
            default: break
            }
        }
    }

    private static func keep(
        _ sequence: SequenceNumber,
        of widget: WidgetID,
        _ history: Int,
        in kept: inout [WidgetID: [SequenceNumber]]
    ) {
        kept[widget, default: []].append(sequence)
        kept[widget] = kept[widget]?.suffix(history)
    }

    /// Checks that a range covers only trimmed records besides its last one: stored records must come singly.
    private func judgeRange(
        _ range: SequenceRange,
        _ widget: WidgetID,
        _ kept: [WidgetID: [SequenceNumber]],
        _ what: String
    ) {
        guard !range.isSingle, let hidden = kept[widget]?.first(where: { range.first <= $0 && $0 < range.sequence })
        else { return }
        report(what, widget, "\(hidden) in \(range)")
    }

    /// Adds a range and the time to the fingerprint, an FNV-1a hash.
    private func mix(_ widget: WidgetID, _ range: SequenceRange) {
        for byte in widget.rawValue.utf8 { mix(UInt64(byte)) }
        for number in [range.first.number, range.sequence.number, UInt64(simulation.now)] { mix(number) }
    }

    private func mix(_ number: UInt64) { fingerprint = (fingerprint ^ number) &* 0x100_0000_01b3 }

    // MARK: Updates

    /// Records that a subscriber received an update.
    func sees(_ range: SequenceRange, of widget: WidgetID) {
        seen += 1
        if !range.isSingle { ranges += 1 }
        mix(widget, range)
        // The owner of a former primary does not have the updates of the new one.
        guard lostUpdates[widget]?.contains(range.sequence) != true else { return }
        judgeRange(range, widget, keptUpdates, "updates that are kept are passed over")
    }

    // MARK: Commits of the notifier

    func notifierCommits(_ update: StoredUpdate, on server: NotifierMemory) {
        guard let event = simulation.update(update.event) else { return }
        let sequence = update.range.sequence
        if server === simulation.notifierStore {
            simulation.calm.notifierCommits(sequence, of: update.widget)
            if lostCycles[update.widget]?.contains(sequence) != true {
                judgeRange(update.range, update.widget, keptCycles, "cycles that are kept are passed over")
            }
            Self.keep(sequence, of: update.widget, simulation.faults.history, in: &keptUpdates)
            if update.result == .newData { newData[update.widget, default: []].insert(sequence) }
            if let wrong = changes.judge(event.data, of: update.widget) {
                report("an update does not name what changed", update.widget, wrong)
            }
        } else {
            lostUpdates[update.widget, default: []].insert(sequence)
        }
        if forged[update.widget]?.contains(sequence) == true { return }
        guard let cycles = truth[update.widget]?[sequence] else {
            return report("an update of a cycle that never was", update.widget, "\(sequence)")
        }
        let said = event.data.displays.mapValues(\.digest)
        guard !cycles.contains(where: { digests(of: $0.data) == said }) else { return }
        report("the verdict is about another state than its cycle's", update.widget, "\(sequence)")
    }

    private func shown(_ digest: ContentDigest?) -> ShownContent {
        guard let digest, let bytes = stored[digest] else { return .nothing }
        if let known = contents[digest] { return known }
        let read = ContentMemory.read(bytes, as: digest) ?? .unreadable(digest)
        contents[digest] = read
        return read
    }

    private func digests(of cycle: Refreshed) -> [DisplayName: ContentDigest] {
        guard cycle.cause != .removed else { return [:] }
        let content =
            cycle.contentSequence == nil
            ? ShownContent.none(
                isRefreshing: cycle.isRefreshing ?? false,
                attemptFailed: cycle.outcome == .failed || cycle.failure != nil
            )
            : shown(cycle.content?.digest)
        return digests(of: content, WidgetMoment(cycle), cycle.displays)
    }

    private func digests(
        of content: ShownContent,
        _ moment: WidgetMoment,
        _ displays: [Display]
    ) -> [DisplayName: ContentDigest] {
        var digests: [DisplayName: ContentDigest] = [:]
        for display in displays {
            let order = DrawingOrder(shown: content, moment: moment, display: display)
            let digest = looks[order.key] ?? renderer.draw(order).digest
            looks[order.key] = digest
            digests[display.name] = digest
        }
        return digests
    }

    // MARK: Publications

    /// Records that a cycle or an update was published.
    func publishes(_ service: ServiceName, _ widget: WidgetID, _ sequence: SequenceNumber) {
        published[service, default: [:]][widget, default: []].insert(sequence)
    }

    /// Checks that a head was published: the next process publishes the last event of a dead process at its start.
    func publishesHead(_ service: ServiceName, _ widget: WidgetID, _ sequence: SequenceNumber) {
        guard published[service]?[widget]?.contains(sequence) != true else { return }
        report("a head of what was never published", widget, "\(sequence) of the \(service.rawValue)")
    }

    // MARK: The end of a run

    /// Checks the final state, when all events have been processed: each subscriber shows the current content.
    func judgeTheEnd() {
        let state = simulation.cacheStore.tables.state
        let world = simulation.world
        let configured = Set(world.widgets.map(SimulatedWorld.widget))
        for case let notifier as NotifierProcess in simulation.processes
        where notifier.isAlive && notifier.deniedCount > 0 && !notifier.isFenced {
            let count = notifier.deniedCount
            report("the notifier still waits for cycles of the cache", "\(count) at \(notifier.name)")
        }
        for widget in SimulatedWorld.allWidgets {
            let record = state.widgets[widget]
            let isShown = configured.contains(widget)
            if isShown, record == nil || record?.isRemoved == true {
                report("a configured widget has no cycle", widget, "")
            }
            for case let subscriber as SubscriberProcess in simulation.processes {
                let last = subscriber.last[widget] ?? .zero
                if let head = record?.head, last < head {
                    report("cycles without update at rest", widget, "\(subscriber.name) has \(last) of \(head)")
                }
                let shown = subscriber.shown[widget] ?? [:]
                guard isShown, let record else {
                    // An emptied store does not know such widgets. A forged message with the last number hides a removal.
                    if !isShown, !shown.isEmpty, knownWidgets.contains(widget), forged[widget]?.contains(last) != true {
                        report("a removed widget is shown still", widget, subscriber.name)
                    }
                    continue
                }
                let wanted = expected(widget, record)
                if wanted.contains(where: { shown[$0.key] != $0.value }) || shown.count != wanted.count {
                    report("the last update is not what is there", widget, "\(subscriber.name), \(last)")
                } else if wanted.contains(where: { subscriber.layouts[widget]?[$0.key]?.digest != $0.value }) {
                    report("a client shows a stale layout", widget, subscriber.name)
                }
            }
            for reader in simulation.eventReaders {
                if isShown, let head = record?.head, reader.last[widget] ?? .zero < head {
                    report("a reader of events is behind at rest", widget, "\(reader.name) has not \(head)")
                }
            }
            if isShown, !marks.isMarked(widget) { report("stale content is not marked at rest", widget, "") }
            guard isShown, let record, let intent = world.intents[widget], !world.wereAway.contains(widget),
                !world.areUnsure.contains(widget)
            else { continue }
            if record.interaction.expanded != intent { report("a press is lost or done twice", widget, "") }
        }
    }

    /// Returns the digest that each display must show: the origin's current content, on the configured displays, today.
    private func expected(_ widget: WidgetID, _ record: WidgetRecord) -> [DisplayName: ContentDigest] {
        guard let index = SimulatedWorld.allWidgets.firstIndex(of: widget) else { return [:] }
        let source = SimulatedWorld.sourceOfWidget[index]
        let (bytes, digest) = simulation.origin.content(of: source, simulation.origin.states[source])
        let content = contents[digest] ?? ContentMemory.read(bytes, as: digest) ?? .unreadable(digest)
        var moment = WidgetMoment(
            definition: record.definition,
            interaction: record.interaction,
            instant: simulation.wall
        )
        moment.staleSince = marks.markAtTheEnd(of: widget)
        return digests(of: content, moment, simulation.world.shownDisplays(of: index))
    }
}
