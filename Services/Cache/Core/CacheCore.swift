// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import OriginRules
import ServiceEngine
import WidgetSchema

/// The rules of the cache: freshness, leases, rate limits, sequence numbers and interaction state.
///
/// Only the core makes cycles. It is a value without clock, store or socket. The engine passes it a batch of inputs,
/// ends the batch with `tick`, commits the batch's writes in one transaction, and then performs the effects in order. A
/// core whose commit failed is discarded.
///
/// Its parts are extensions in the folders beside this file. Each part has its rules, and the state that belongs to it;
/// ``CacheState`` is what the store contains of all parts.
///
/// | folder | rules | own state |
/// |---|---|---|
/// | `Plans` | widgets and sources match the configuration, in portions; file sources | `unreconciled`, `changedWhileRead` |
/// | `Schedule` | the next fetch of each source, sources that are fetched when they are shown, the limits of hosts, the announced fetch schedule | `FetchSchedule`, `FetchAnnouncements` |
/// | `Leases` | fetches for fetchers, their outcomes, moved sources, silent and quarantined ones | `LeaseTable`, `SourceReports` |
/// | `Cycles` | a number and an event for each change; clock cycles, stale marks, "Refreshing…", numbers after a restore | `ClockCycles`, `StaleMarkGrace`, `unpublished`, `refreshingWidgets` |
/// | `Commands` | commands and pushes, each done once | `WaitingCommands` |
/// | `History` | what is kept of old cycles | `HistorySweep` |
/// | `Values` | types of which records and tables are made: how they are stored and held in memory | |
///
/// A widget's way: the plan names it (`Plans`), its source becomes due (`Schedule`) and is leased, the outcome arrives
/// (`Leases`), and becomes a cycle (`Cycles`).
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
    var leases = LeaseTable()
    var clockCycles = ClockCycles()
    var staleMarkGrace = StaleMarkGrace()
    var waiting = WaitingCommands()
    var reports = SourceReports()
    var sweep = HistorySweep()
    /// The widgets that do not match the plan yet, in descending order of their ids; the last one is handled next.
    var unreconciled: [WidgetID] = []
    /// The widgets whose last event must be published again, because an earlier core may not have published it.
    var unpublished = PublicationQueue()
    /// The widgets that show "Refreshing…", and possibly some that no longer do.
    var refreshingWidgets: Set<WidgetID> = []
    /// The file sources that must be read again, because they changed while a fetcher was reading them.
    var changedWhileRead: Set<SourceID> = []
    /// A Boolean value that indicates whether all file sources must be read again at the start.
    var filesMayHaveChanged = false
    /// The time at which old commands and unused hosts are forgotten next; nil before the start.
    var nextPurge: Instant?

    /// The interval at which old commands and unused hosts are forgotten.
    static let purgeInterval: Duration = .seconds(3_600)

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
        leases.answered = RecentRequests(capacity: plan.limits.rememberedLeaseRequests)
        for (source, lease) in state.leases {
            leases.byID[lease.id] = source
            leases.byRequest[lease.request, default: []].insert(source)
            leases.expiries.insert(LeaseExpiry(at: lease.expires, source: source, lease: lease.id))
        }
        for (key, command) in state.commands where command.sequence == nil {
            waiting.byWidget[key.widget, default: []].insert(key)
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
        guard let record, !record.asksConfiguredAddress else { return plan.address.host }
        return record.location.map(OriginHost.name) ?? plan.address.host
    }

    mutating func handle(_ input: CacheInput, now: Instant) -> CacheStep {
        // The widgets that an input concerns must match the plan before the input is handled.
        let before = unreconciled.isEmpty ? CacheStep() : reconcile(input.widgets(of: sources), now: now)
        return before + decide(input, now: now)
    }

    private mutating func decide(_ input: CacheInput, now: Instant) -> CacheStep {
        switch input {
        case .start: start(now: now)
        case .fetched(let source, let outcome, let contents): apply(outcome, of: source, contents: contents, now: now)
        case .lease(let requester, let id, let deadline, let request):
            lease(LeaseRequester(requester, requestID: id, deadlineMilliseconds: deadline), request, now: now)
        case .command(let requester, let deadline, let request): command(requester, deadline, request, now: now)
        case .push(let requester, let request, let digest, let bytes):
            push(requester, request, EncodedContent(digest: digest, bytes: bytes), now: now)
        case .replay, .snapshot: CacheStep(effects: read(input).map { [$0] } ?? [])
        case .confirm(let requester, let request): confirm(requester, request, now: now)
        case .shown(let requester, let request): shown(requester, request, now: now)
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
            leases.expiries.first?.at,
            leases.parked.map(\.until).min(),
            leases.parked.isEmpty ? nil : schedule.nextDeadline,
            nextPurge, clockCycles.nextDeadline, reports.nextSilenceCheck, sweep.next,
            sources.keys.isEmpty ? nil : announcements.sources.nextDeadline,
        ].compactMap { $0 }.min()
    }

    private mutating func tick(now: Instant) -> CacheStep {
        noteTick(now: now)
        var step = republishNext()
        step += reconcileNext(now: now)
        step += runClocks(now: now)
        step += expireLeases(now: now)
        step += serveLeaseRequests(now: now)
        step += purge(now: now)
        step += checkSilence(now: now)
        step += sweepHistory(now: now)
        // A head must not name an event that no process has published.
        if unpublished.isEmpty { step.effects += heads.due(at: now).map { .publishHeads($0, at: now) } }
        return step + announceFetches(now: now)
    }

    /// Forgets old commands and unused hosts, at most once in an hour.
    private mutating func purge(now: Instant) -> CacheStep {
        guard let due = nextPurge, now >= due else { return CacheStep() }
        nextPurge = now.advanced(by: Self.purgeInterval)
        return forgetUnusedHosts(now: now) + purgeCommands(now: now)
    }

    private mutating func republishNext() -> CacheStep {
        let widgets = unpublished.next(limits.republishedAtOnce)
        return CacheStep(effects: widgets.compactMap { id in state.widgets[id].map { .republishLast(of: id, $0) } })
    }

    private mutating func announceHeads() -> CacheStep {
        heads.announceAll()
        announceAllFetches()
        return CacheStep()
    }

    private mutating func start(now: Instant) -> CacheStep {
        var step = CacheStep(writes: [.limitHistory(limits.history)])
        // The last commits may not have been published.
        unpublished = PublicationQueue(state.widgets.keys.sorted())
        step += republishNext()
        staleMarkGrace.begin(limits.staleMarkGrace, now: now)
        completeRecords()
        step +=
            clampToPresent(now: now) + clampSuccesses(now: now) + extendLeases(now: now)
            + limitWaitsForConfiguredAddresses(now: now)
        if state.wasRestored { step += renumberAll(now: now) }
        step += applyPlan(now: now)
        scheduleClocks(now: now)
        nextPurge = now
        reports.nextSilenceCheck = now
        sweep.next = now
        step += findQuarantined()
        if filesMayHaveChanged {
            step += filesChanged(nil, now: now)
            step.effects.append(.filesScheduled)
        }
        announceAllFetches()
        return step
    }
}
