// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import OriginRules
import SourceFetching
import WidgetSchema

/// The rules of a fetcher: which leases it requests, which transfers it starts and aborts, and which outcomes it
/// publishes again.
///
/// An outcome is published again until the cache has acknowledged it. The core has no durable state: its work goes to
/// another fetcher when its leases expire. In all functions, `now` is the time since `clockStart`, by a clock that also
/// advances while the machine is suspended.
struct FetcherCore: Sendable {
    private struct Job: Sendable {
        var lease: Lease
        /// The time at which the lease ends, as a duration since `clockStart`.
        var end: Duration
        var abortAt: Duration
    }

    private struct UnacknowledgedOutcome: Sendable {
        var source: SourceID
        var outcome: FetchOutcome
        var publishedAt: Duration
    }

    private struct SentRequest: Sendable {
        var sentAt: Duration
        var reported: Set<LeaseID>
        var givenBack: Set<LeaseID>
    }

    private let limits: FetcherLimits
    private let parserVersion: Int?
    private var jobs: [LeaseID: Job] = [:]
    /// The leases whose fetches start when fewer than `limits.slots` fetches are in flight, the oldest lease first.
    private var waiting: [Job] = []
    private var done: [LeaseID: UnacknowledgedOutcome] = [:]
    /// The time of the oldest outcome that no lease request has reported yet; nil if there is none.
    private var unreportedSince: Duration?
    private var toGiveBack: Set<LeaseID> = []
    /// The leases that are not fetched because their host limits requests.
    ///
    /// Each key is the lease whose outcome reported the limit; the value contains the leases that are held back because
    /// of this limit. The held-back leases are given back when the cache has received that outcome. If they were given
    /// back earlier, the cache would grant them again at once.
    private var heldBack: [LeaseID: [LeaseID]] = [:]
    private var leaseRequests: [LeaseRequestNumber: SentRequest] = [:]
    private var lastRequestNumber: LeaseRequestNumber = 0
    private var nextRequestAt: Duration?
    /// A Boolean value that indicates whether the answer to the last lease request contained leases.
    ///
    /// If so, the cache may have more of them.
    private var gotLeases = false
    private var stoppedAt: Duration?
    /// The monotonic time at which the core's own clock starts; nil in tests that choose the time themselves.
    let clockStart: ContinuousClock.Instant?

    init(
        limits: FetcherLimits = FetcherLimits(),
        parserVersion: Int? = nil,
        clockStart: ContinuousClock.Instant? = nil
    ) {
        self.clockStart = clockStart
        self.limits = limits
        self.parserVersion = parserVersion
    }

    /// A Boolean value that indicates whether a stopped fetcher has no work left: no fetch or lease request is in
    /// flight, every outcome is acknowledged, and every unused lease is given back.
    var isFinished: Bool {
        stoppedAt != nil && jobs.isEmpty && done.isEmpty && toGiveBack.isEmpty && leaseRequests.isEmpty
    }

    mutating func handle(_ input: FetcherInput, now: Duration) -> [FetcherEffect] {
        switch input {
        case .leases(let number, let answer): take(answer, of: number, now: now)
        case .leaseRequestFailed(let number): giveUp(number, now: now)
        case .fetched(let lease, let outcome): finish(lease, outcome, now: now)
        case .needsFollowUp(let lease, let followUp): fetchAgain(followUp, of: lease)
        case .stop: stop(now: now)
        case .tick: tick(now: now)
        }
    }

    /// The next time at which the core must handle the input `tick`, even if no other input arrives.
    ///
    /// The time is a duration since `clockStart`; nil if there is no such time.
    var nextDue: Duration? {
        let stopDeadline = jobs.isEmpty ? nil : stoppedAt.map { $0 + limits.stopTimeout }
        let report = wantsToAsk ? nextRequestAt : nil
        let late = waiting.first.map { $0.end - limits.leastLeaseLeft + .milliseconds(1) }
        return [jobs.values.lazy.map(\.abortAt).min(), late, report, reportDue, stopDeadline].compactMap { $0 }.min()
    }

    // MARK: Leases

    private mutating func take(_ answer: LeaseAnswer, of number: LeaseRequestNumber, now: Duration) -> [FetcherEffect] {
        // Each request has at most one answer; a request that was given up has none.
        guard let ask = leaseRequests.removeValue(forKey: number) else { return [] }
        toGiveBack.subtract(ask.givenBack)
        var effects = acknowledge(ask, open: answer.open, now: now)
        for lease in answer.leases {
            if stoppedAt != nil {
                toGiveBack.insert(lease.id)
                continue
            }
            guard jobs[lease.id] == nil, done[lease.id] == nil, !waiting.contains(where: { $0.lease.id == lease.id })
            else { continue }
            // The duration of the lease counts from the first sending of this request, because the cache starts to
            // count later.
            let end = ask.sentAt + .milliseconds(lease.durationMilliseconds)
            guard end - now >= limits.leastLeaseLeft else {
                toGiveBack.insert(lease.id)
                effects.append(.count(.lateLeases))
                continue
            }
            waiting.append(Job(lease: lease, end: end, abortAt: end - limits.abortMargin))
        }
        effects += fillSlots(now: now)
        gotLeases = !answer.leases.isEmpty
        nextRequestAt = answer.open.isEmpty ? nil : now + limits.nextRequestPause
        return effects
    }

    private mutating func acknowledge(_ ask: SentRequest, open: [LeaseID], now: Duration) -> [FetcherEffect] {
        let open = Set(open)
        var effects: [FetcherEffect] = []
        for lease in ask.reported.sorted() {
            guard let outcome = done[lease] else { continue }
            guard open.contains(lease) else {
                done[lease] = nil
                toGiveBack.formUnion(heldBack.removeValue(forKey: lease) ?? [])
                continue
            }
            guard now - outcome.publishedAt >= limits.republishInterval else { continue }
            done[lease]?.publishedAt = now
            requireReport(now: now)
            effects += [.publish(outcome.source, outcome.outcome), .count(.republished)]
        }
        return effects
    }

    private mutating func giveUp(_ number: LeaseRequestNumber, now: Duration) -> [FetcherEffect] {
        guard let ask = leaseRequests.removeValue(forKey: number) else { return [] }
        if !ask.reported.isDisjoint(with: done.keys) { requireReport(now: now) }
        nextRequestAt = now + limits.nextRequestPause
        gotLeases = false
        return []
    }

    /// Starts fetches of leases in `waiting` until `limits.slots` fetches are in flight or no lease waits.
    private mutating func fillSlots(now: Duration) -> [FetcherEffect] {
        let begun = waiting.prefix(limits.slots - jobs.count)
        waiting.removeFirst(begun.count)
        return begun.flatMap { job -> [FetcherEffect] in
            jobs[job.lease.id] = job
            return [.fetch(job.lease, by: job.end - limits.outcomeMargin), .count(.fetches)]
        }
    }

    private var freeSlots: Int {
        let free = limits.slots + limits.leasesAhead - jobs.count - waiting.count
        return stoppedAt == nil ? max(0, min(free, limits.unacknowledged - done.count)) : 0
    }

    /// A Boolean value that indicates whether the fetcher can take more leases and should request them now.
    ///
    /// If no lease waits in `waiting`, the fetcher requests leases as soon as it can take at least one. Otherwise, it
    /// requests leases only if it can take at least `limits.leaseBatch` of them.
    private var needsLeases: Bool {
        let free = freeSlots
        return free > 0 && (free >= limits.leaseBatch || waiting.isEmpty)
    }

    private var wantsToAsk: Bool {
        guard leaseRequests.isEmpty else { return false }
        return needsLeases || !done.isEmpty || stoppedAt != nil && !toGiveBack.isEmpty
    }

    /// The time at which a further request reports outcomes although a request is in flight; nil if there is none.
    ///
    /// The cache may have died before it received these outcomes, and its successor waits with its answer if it has no
    /// leases to grant. The cache answers the earlier request when it receives the further one.
    private var reportDue: Duration? {
        leaseRequests.isEmpty ? nil : unreportedSince.map { $0 + limits.republishInterval }
    }

    /// Starts the wait until `reportDue`, unless it has started.
    private mutating func requireReport(now: Duration) { unreportedSince = unreportedSince ?? now }

    /// Requests leases, and reports outcomes; a further request beside one in flight only reports.
    private mutating func ask(now: Duration) -> [FetcherEffect] {
        let slots = leaseRequests.isEmpty ? freeSlots : 0
        unreportedSince = nil
        lastRequestNumber += 1
        let ask = SentRequest(sentAt: now, reported: Set(done.keys), givenBack: toGiveBack)
        leaseRequests[lastRequestNumber] = ask
        nextRequestAt = nil
        let request = LeaseRequest(
            slots: slots,
            unacknowledged: ask.reported.sorted(),
            givenBack: ask.givenBack.sorted(),
            parserVersion: parserVersion
        )
        return [.ask(lastRequestNumber, request)]
    }

    // MARK: Fetches

    /// Sends the follow-up request that the first answer requires, within the same lease.
    private func fetchAgain(_ followUp: FollowUp, of lease: LeaseID) -> [FetcherEffect] {
        // An aborted fetch needs no follow-up.
        guard let job = jobs[lease] else { return [] }
        return [.fetch(job.lease, after: followUp, by: job.end - limits.outcomeMargin)]
    }

    private mutating func finish(_ lease: LeaseID, _ outcome: FetchOutcome, now: Duration) -> [FetcherEffect] {
        guard let job = jobs.removeValue(forKey: lease) else { return [] }
        done[lease] = UnacknowledgedOutcome(source: job.lease.source, outcome: outcome, publishedAt: now)
        requireReport(now: now)
        return [.publish(job.lease.source, outcome)] + holdBack(outcome, of: job.lease) + fillSlots(now: now)
    }

    /// Stops all other fetches from a host if `outcome` reports that this host limits requests.
    ///
    /// Fetches in flight are aborted, and waiting fetches are not started. The cache grants their leases again later.
    private mutating func holdBack(_ outcome: FetchOutcome, of lease: Lease) -> [FetcherEffect] {
        guard outcome.data.failure?.class == .rateLimited else { return [] }
        let host = outcome.data.answeredBy ?? OriginHost.name(of: lease.url)
        let others = jobs.filter { OriginHost.name(of: $0.value.lease.url) == host }.keys.sorted()
        for other in others { jobs[other] = nil }
        let isHeldBack: (Job) -> Bool = { OriginHost.name(of: $0.lease.url) == host }
        let unbegun = waiting.filter(isHeldBack).map(\.lease.id)
        waiting.removeAll(where: isHeldBack)
        if !others.isEmpty || !unbegun.isEmpty { heldBack[lease.id] = others + unbegun }
        return unbegun.map { _ in .count(.heldBack) } + others.flatMap { [.abort($0), .count(.heldBack)] }
    }

    private mutating func stop(now: Duration) -> [FetcherEffect] {
        guard stoppedAt == nil else { return [] }
        stoppedAt = now
        toGiveBack.formUnion(waiting.map(\.lease.id))
        waiting = []
        // The cache answers the previous request without leases as soon as it receives a newer one.
        return ask(now: now)
    }

    private mutating func tick(now: Duration) -> [FetcherEffect] {
        var effects: [FetcherEffect] = []
        for id in jobs.filter({ $0.value.abortAt <= now }).keys.sorted() {
            jobs[id] = nil
            effects += [.abort(id), .count(.aborted)]
        }
        // Give back a lease with too little time left, so that the cache can grant a new one.
        while let job = waiting.first, job.end - now < limits.leastLeaseLeft {
            waiting.removeFirst()
            toGiveBack.insert(job.lease.id)
            effects.append(.count(.lateLeases))
        }
        effects += fillSlots(now: now)
        if let stoppedAt, now - stoppedAt >= limits.stopTimeout {
            for id in jobs.keys.sorted() {
                effects += [.abort(id), .count(.aborted)]
                toGiveBack.insert(id)
            }
            jobs = [:]
        }
        let mayAsk = nextRequestAt.map { $0 <= now } ?? true
        let mustReport = reportDue.map { $0 <= now } ?? false
        if mustReport || wantsToAsk && (mayAsk || gotLeases && needsLeases) { effects += ask(now: now) }
        return effects
    }
}
