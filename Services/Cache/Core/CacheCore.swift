// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import RefreshRules
import ServiceEngine
import WidgetSchema

/// The rules of the cache: freshness, leases, rate limits, sequence numbers and interaction state.
///
/// Only the core makes cycles. It is a value without clock, store or socket. The engine passes it a batch of inputs,
/// ends the batch with `tick`, commits the batch's writes in one transaction, and then performs the effects in order. A
/// core whose commit failed is discarded. Its parts are extensions in this folder:
///
/// | part | files `CacheCore+…` | types |
/// |---|---|---|
/// | plans: widgets match the configuration | this file, Configuration, Files | `CachePlan`, `SourcePlans` |
/// | leases: fetches for fetchers, and their outcomes | Leases, Outcomes, Moves, Quarantine, Silence | `SourceRecord` |
/// | schedule: the next fetch, limits of hosts | Announcements; folder `Schedule` | `FetchSchedule`, `HostRecord` |
/// | cycles: a number and an event for each change | this file, Clock, Refreshing, Renumbering | `WidgetRecord` |
/// | history: what is kept, replays and snapshots | History, Snapshots | `HistoryLimits`, `CacheStore` |
/// | commands and pushes, each done once | Commands, PushedContent | `CommandRecord` |
struct CacheCore: Sendable {
    var plan: CachePlan
    var sources: SourcePlans
    /// The part of each lease id that is unique to this core.
    let nonce: String
    var state: CacheState
    var schedule: FetchSchedule
    var heads: HeadsSchedule
    var announcements = FetchAnnouncements()
    /// The ids of the widgets in `state`, in ascending order.
    var index: WidgetIndex
    var leaseExpiries = Heap<LeaseExpiry>()
    /// The widgets that show "Refreshing…", and possibly some that no longer do.
    var refreshingWidgets: Set<WidgetID> = []
    /// The source of each lease that has not ended, by the id of the lease.
    ///
    /// `leasesByRequest` contains the same sources by the id of the lease request.
    var leasesByID: [LeaseID: SourceID] = [:]
    var leasesByRequest: [String: Set<SourceID>] = [:]
    var leaseCounter: UInt64 = 0
    /// The lease requests that wait until a source is due, the oldest first.
    var parkedRequests: [ParkedLeaseRequest] = []
    /// The ids of answered lease requests, which are kept so that a repeated request gets no second set of leases.
    ///
    /// The list of a new core is empty, so a repeated request may get new leases. The fetcher drops these leases, and
    /// their sources are fetched only after the leases expire.
    var answeredLeaseRequests = RecentRequests(capacity: 0)
    /// The keys of the commands that wait for the outcome of a fetch, by widget.
    var pendingCommands: [WidgetID: Set<CommandKey>] = [:]
    var commandWaiters: [CommandKey: [CommandWaiter]] = [:]
    var nextCommandPurge: Instant?
    var nextSilenceCheck: Instant?
    /// The time of the next check for expired cycles; nil before the start.
    ///
    /// Each check covers `widgetsPerSweep` widgets, beginning after the widget `sweptUpTo`.
    var nextHistorySweep: Instant?
    var sweptUpTo: WidgetID?
    /// The file sources that must be read again, because they changed while a fetcher was reading them.
    var changedWhileRead: Set<SourceID> = []
    /// A Boolean value that indicates whether all file sources must be read again at the start.
    var filesMayHaveChanged = false
    var silentSources: [SilentSource] = []
    /// The sources whose last two or more leases expired without an outcome.
    var quarantined: Set<SourceID> = []
    /// The next time at which each widget looks different without new content, such as midnight.
    var clockDue: [WidgetID: Instant] = [:]
    var clockQueue = Heap<WidgetDue>()
    /// The widgets that do not match the plan yet, in descending order of their ids; the last one is handled next.
    private var unreconciled: [WidgetID] = []
    /// The widgets whose last event must be published again, because an earlier core may not have published it.
    private var unpublished = PublicationQueue()

    var limits: CacheLimits { plan.limits }

    init(plan: CachePlan, state: CacheState, nonce: String) {
        self.plan = plan
        self.state = state
        self.nonce = nonce
        sources = plan.sources
        schedule = FetchSchedule(
            hostConcurrency: plan.limits.hostConcurrency,
            hostSpacing: plan.limits.hostSpacing,
            hosts: state.hosts
        )
        heads = HeadsSchedule(
            Dictionary(uniqueKeysWithValues: state.widgets.map { ($0.key, Head(sequence: $0.value.head)) })
        )
        index = WidgetIndex(state.widgets.keys)
        answeredLeaseRequests = RecentRequests(capacity: plan.limits.rememberedLeaseRequests)
        for (source, lease) in state.leases {
            leasesByID[lease.id] = source
            leasesByRequest[lease.request, default: []].insert(source)
            leaseExpiries.insert(LeaseExpiry(at: lease.expires, source: source, lease: lease.id))
        }
        for (key, command) in state.commands where command.sequence == nil {
            pendingCommands[key.widget, default: []].insert(key)
        }
        refreshingWidgets = Set(state.widgets.filter(\.value.isRefreshing).map(\.key))
        scheduleSources()
    }

    /// Returns the host that the next attempt of a source asks.
    ///
    /// This is usually the host of the source's new address if the source has moved, and of the configured address
    /// otherwise.
    func host(of source: SourceID) -> String {
        sources[source].map { Self.host(of: $0, state.sources[source]) } ?? ""
    }

    static func host(of plan: SourcePlan, _ record: SourceRecord?) -> String {
        guard let record, !record.asksConfiguredAddress else { return plan.request.host }
        return record.location.map(OriginHost.name) ?? plan.request.host
    }

    mutating func handle(_ input: CacheInput, now: Instant) -> [CacheAction] {
        // The widgets that an input concerns must match the plan before the input is handled.
        let before = unreconciled.isEmpty ? [] : reconcile(input.widgets(of: sources), now: now)
        let actions = decide(input, now: now)
        return before.isEmpty ? actions : before + actions
    }

    private mutating func decide(_ input: CacheInput, now: Instant) -> [CacheAction] {
        switch input {
        case .start: start(now: now)
        case .fetched(let source, let outcome, let contents): apply(outcome, of: source, contents: contents, now: now)
        case .lease(let requester, let id, let deadline, let request):
            lease(LeaseRequester(requester, requestID: id, deadlineMilliseconds: deadline), request, now: now)
        case .command(let requester, let deadline, let request): command(requester, deadline, request, now: now)
        case .push(let requester, let request, let digest, let bytes):
            push(requester, request, EncodedContent(digest: digest, bytes: bytes), now: now)
        case .replay(let requester, let request): [.answerReplay(requester, from: request.from)]
        case .snapshot(let requester, let request): snapshot(requester, request)
        case .confirm(let requester, let request): confirm(requester, request, now: now)
        case .filesChanged(let paths): filesChanged(paths, now: now)
        case .reconnected: announceHeads()
        case .configure(let plan): configure(plan, now: now)
        case .clockJumped(let milliseconds): clockJumped(by: milliseconds, now: now)
        case .tick: tick(now: now)
        }
    }

    /// The next time at which `tick` has something to do, unless an input arrives earlier; nil if nothing is due.
    var nextDue: Instant? {
        [
            unreconciled.isEmpty && unpublished.isEmpty ? nil : Instant(milliseconds: 0),
            heads.count == 0 || !unpublished.isEmpty ? nil : heads.nextDeadline,
            leaseExpiries.first?.at,
            parkedRequests.map(\.until).min(),
            parkedRequests.isEmpty ? nil : schedule.nextDeadline,
            nextCommandPurge, clockQueue.first?.at, nextSilenceCheck, nextHistorySweep,
            sources.keys.isEmpty ? nil : announcements.sources.nextDeadline,
        ].compactMap { $0 }.min()
    }

    private mutating func tick(now: Instant) -> [CacheAction] {
        var actions = republishNext()
        actions += reconcileNext(now: now)
        actions += runClocks(now: now)
        actions += expireLeases(now: now)
        actions += serveLeaseRequests(now: now)
        actions += purgeCommands(now: now)
        actions += checkSilence(now: now)
        actions += sweepHistory(now: now)
        // A head must not name an event that no process has published.
        if unpublished.isEmpty { actions += heads.due(at: now).map { .effect(.publishHeads($0, at: now)) } }
        return actions + announceFetches(now: now)
    }

    private mutating func republishNext() -> [CacheAction] {
        unpublished.next(limits.republishedAtOnce).compactMap { id in
            state.widgets[id].map { .republish(id, $0) }
        }
    }

    private mutating func announceHeads() -> [CacheAction] {
        heads.announceAll()
        announceAllFetches()
        return []
    }

    // MARK: Start and configuration

    private mutating func start(now: Instant) -> [CacheAction] {
        var actions: [CacheAction] = [.write(.limitHistory(limits.history))]
        // The last commits may not have been published.
        unpublished = PublicationQueue(state.widgets.keys.sorted())
        actions += republishNext()
        actions += clampToPresent(now: now) + extendLeases(now: now) + limitWaitsForConfiguredAddresses(now: now)
        if state.wasRestored { actions += renumberAll(now: now) }
        actions += applyPlan(now: now)
        scheduleClocks(now: now)
        nextCommandPurge = now
        nextSilenceCheck = now
        nextHistorySweep = now
        actions += findQuarantined()
        if filesMayHaveChanged { actions += filesChanged(nil, now: now) }
        announceAllFetches()
        return actions
    }

    /// Applies the plan: starts new widgets, makes a cycle for each changed widget, and ends removed widgets.
    ///
    /// Handles only the first `CacheLimits.reconciledAtOnce` of these widgets; `tick` handles the others.
    mutating func applyPlan(now: Instant) -> [CacheAction] {
        var actions = dropSourcesWithoutWidget(now: now)
        let known = state.widgets.keys.filter { plan.widgets[$0] == nil }
        unreconciled = (Array(plan.widgets.keys) + known).filter { !isReconciled($0) || lacksSource($0) }.sorted(by: >)
        actions += reconcileNext(now: now)
        return actions + fetchMissingParsings(now: now)
    }

    // MARK: Widgets and the plan

    private mutating func reconcileNext(now: Instant) -> [CacheAction] {
        guard !unreconciled.isEmpty else { return [] }
        let next = unreconciled.suffix(limits.reconciledAtOnce)
        unreconciled.removeLast(next.count)
        return reconcile(next.reversed(), now: now)
    }

    /// Changes widgets to match the plan; widgets that match already are not changed.
    mutating func reconcile(_ widgets: [WidgetID], now: Instant) -> [CacheAction] {
        var actions: [CacheAction] = []
        for id in widgets {
            if lacksSource(id), let source = plan.widgets[id]?.source {
                actions.append(save(SourceRecord(nextAttempt: now), of: source.id))
                schedule.schedule(source.id, host: source.host, at: now)
            }
            if !isReconciled(id) { actions += plan.widgets[id].map { reconcile($0, now: now) } ?? remove(id, now: now) }
        }
        return actions
    }

    /// Returns whether a widget's source is fetched, but has no record yet.
    private func lacksSource(_ id: WidgetID) -> Bool {
        guard let source = plan.widgets[id]?.source else { return false }
        return !source.isPushed && state.sources[source.id] == nil
    }

    private func isReconciled(_ id: WidgetID) -> Bool {
        let record = state.widgets[id]
        guard let plan = plan.widgets[id] else { return record?.isRemoved ?? true }
        guard let record, !record.isRemoved else { return false }
        return record.source == plan.source.id && !record.wantsOtherContent(by: plan)
            && record.definition == plan.definition && record.displays == plan.displays
    }

    /// Starts the widget of `plan` if it is new or was removed; otherwise makes a cycle that applies `plan` to it.
    private mutating func reconcile(_ plan: WidgetPlan, now: Instant) -> [CacheAction] {
        guard let record = state.widgets[plan.id], !record.isRemoved else {
            return begin(plan, now: now)
        }
        let sourceChanged = record.source != plan.source.id
        let dropsContent =
            sourceChanged || record.wantsOtherContent(by: plan) || record.definition.kind != plan.definition.kind
        let asked = askAgainIfGone(plan.source.id, now: now)
        // Another widget may have fetched the content that this one wants.
        let held = dropsContent ? state.sources[plan.source.id]?.contents[plan.parsing.key] : nil
        return asked
            + cycle(
                plan.id,
                CycleInput(cause: .configuration, content: held, parsing: plan.parsing),
                now: now
            ) { record in
                record.definition = plan.definition
                record.displays = plan.displays
                record.interaction.keep(devicesOf: plan.displays)
                record.source = plan.source.id
                if dropsContent { record.dropContent() }
            }
    }

    private mutating func begin(_ plan: WidgetPlan, now: Instant) -> [CacheAction] {
        // A widget that is added again continues its sequence numbers; the rest of its earlier state is dropped.
        var record = WidgetRecord(plan)
        if let known = state.widgets[plan.id] { record.head = known.head } else { index.insert(plan.id) }
        record.interaction.seed = Self.seed(of: plan.id, now: now)
        state.widgets[plan.id] = record
        let asked = askAgainIfGone(plan.source.id, now: now)
        // Another widget may have fetched the content already.
        let held = state.sources[plan.source.id]?.contents[plan.parsing.key]
        return asked + cycle(plan.id, CycleInput(cause: .start, content: held, parsing: plan.parsing), now: now)
    }

    /// Returns the seed for the order of the values of a `keyValue` widget; it depends on the widget and the time.
    private static func seed(of widget: WidgetID, now: Instant) -> UInt32 {
        "\(widget)\(now.milliseconds)".utf8.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    private mutating func remove(_ id: WidgetID, now: Instant) -> [CacheAction] {
        cycle(id, CycleInput(cause: .removed), now: now) { record in
            record.isRemoved = true
            record.displays = []
            record.dropContent()
        }
    }

    /// Drops the sources, contents and host records that no widget uses.
    private mutating func dropSourcesWithoutWidget(now: Instant) -> [CacheAction] {
        var actions: [CacheAction] = []
        for (id, record) in state.sources.inOrder {
            guard let plan = sources[id] else {
                actions += forgetIfUnwanted(id)
                continue
            }
            let wanted = Set(plan.parsings.map(\.key))
            guard !record.contents.keys.allSatisfy(wanted.contains) else { continue }
            var record = record
            record.contents = record.contents.filter { wanted.contains($0.key) }
            actions.append(save(record, of: id))
        }
        return actions + forgetUnusedHosts(now: now)
    }

    /// Removes a source if no widget uses it.
    ///
    /// If a fetch of the source is in flight, the source is removed when the fetch ends, because its host is busy until
    /// then.
    mutating func forgetIfUnwanted(_ source: SourceID) -> [CacheAction] {
        guard sources[source] == nil, state.leases[source] == nil, state.sources.removeValue(forKey: source) != nil
        else { return [] }
        schedule.remove(source)
        return [.forgetSource(source)]
    }

    // MARK: Cycles

    /// Makes the next cycle of a widget.
    ///
    /// `change` changes the widget's record first; then the new content in `input`, if any, is stored in the record.
    mutating func cycle(
        _ id: WidgetID,
        _ input: CycleInput,
        now: Instant,
        _ change: (inout WidgetRecord) -> Void = { _ in }
    ) -> [CacheAction] {
        guard var record = state.widgets[id] else { return [] }
        // If the widget's last event is still to be published again, it is published before the new one, so that there
        // is no gap.
        let earlier: [CacheAction] = unpublished.remove(id) ? [.republish(id, record)] : []
        let first = record.head.next
        let above = input.above ?? (record.head == .zero ? .zero : nil)
        let sequence = above.map { max(first, $0.next, SequenceNumber(UInt64(max(now.milliseconds, 1)))) } ?? first
        guard let range = SequenceRange(first: first, sequence: sequence) else { return [] }
        change(&record)
        if let content = input.content, let parsing = input.parsing {
            record.content = ContentReference(parsing: parsing.key, digest: content.digest)
            record.contentSequence = sequence
            record.contentDate = content.date
            record.keys = content.keys
            record.interaction.settle(among: content.keys)
        } else if input.above != nil, record.content != nil {
            // Consumers may have another content, so this cycle publishes the widget's content again.
            record.contentSequence = sequence
        }
        record.head = sequence
        record.committed = now
        let dependsOnDay = record.displays.contains { record.definition.kind.dependsOnDay(on: $0) }
        record.instant = dependsOnDay ? now : nil
        let event = Event(
            .refreshed(id),
            widget: id,
            range: range,
            time: now,
            data: Refreshed(
                cause: input.cause,
                outcome: input.outcome,
                failure: record.failure,
                instant: now,
                displays: record.displays,
                definition: record.definition,
                interaction: record.interaction,
                contentSequence: record.contentSequence,
                content: record.content,
                hasContent: record.hasContent,
                contentDate: record.contentDate,
                isRefreshing: record.content == nil && record.isRefreshing ? true : nil,
                isPushed: plan.widgets[id]?.source.isPushed == true ? true : nil,
                blockedUntil: input.blockedUntil,
                isMissing: record.content == nil && state.sources[record.source]?.isMissing == true ? true : nil,
                times: CycleTimes(answered: input.answered, committed: now)
            )
        )
        let new: NewCycle
        do throws(WireError) {
            new = NewCycle(widget: id, range: range, event: event, bytes: try WireJSON.encode(event))
        } catch {
            return earlier + [.effect(.reportUnwritable(id, error))]
        }
        state.widgets[id] = record
        if record.instant != nil || clockDue[id] != nil { scheduleClock(of: id, now: now) }
        heads.set(Head(sequence: sequence), of: id)
        return earlier + [.write(.keep(new, record)), .effect(.publish(new, content: nil)), .count(.cycles)]
    }
}
