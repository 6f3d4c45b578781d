// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import RefreshRules
import SourceFetching
import WidgetSchema

/// Decides what a fetcher asks for, begins, gives up and says again.
///
/// It holds nothing that outlives it: whatever it had is given to another when its leases run out. `now` counts
/// milliseconds of a clock that goes on while the machine sleeps.
struct FetcherCore: Sendable {
    private struct Job: Sendable {
        var lease: Lease
        var abortAt: Int64
    }

    private struct Done: Sendable {
        var source: SourceID
        var outcome: FetchOutcome
        var publishedAt: Int64
    }

    private struct Ask: Sendable {
        var sentAt: Int64
        var reported: Set<LeaseID>
        var givenBack: Set<LeaseID>
    }

    private let limits: FetcherLimits
    private let parserVersion: Int?
    private var jobs: [LeaseID: Job] = [:]
    private var done: [LeaseID: Done] = [:]
    private var toGiveBack: Set<LeaseID> = []
    /// Leases to give back once the cache knows why, from the outcome of another: it would hand them out again at once.
    private var heldBack: [LeaseID: [LeaseID]] = [:]
    private var asks: [AskNumber: Ask] = [:]
    private var lastAsk: AskNumber = 0
    private var askAgainAt: Int64?
    private var stoppedAt: Int64?

    init(limits: FetcherLimits = FetcherLimits(), parserVersion: Int? = nil) {
        self.limits = limits
        self.parserVersion = parserVersion
    }

    /// Whether nothing is left after a stop: no fetch under way, every outcome acknowledged, every lease given back.
    var isFinished: Bool {
        stoppedAt != nil && jobs.isEmpty && done.isEmpty && toGiveBack.isEmpty && asks.isEmpty
    }

    mutating func handle(_ input: FetcherInput, now: Int64) -> [FetcherAction] {
        switch input {
        case .leases(let number, let answer): take(answer, of: number, now)
        case .askFailed(let number): giveUp(number, now)
        case .fetched(let lease, let outcome): finish(lease, outcome, now)
        case .stop: stop(now)
        case .tick: tick(now)
        }
    }

    /// When `tick` has something to do without another input.
    var nextDeadline: Int64? {
        let stopDeadline = jobs.isEmpty ? nil : stoppedAt.map { $0 + limits.stopPatience }
        let report = wantsToAsk ? askAgainAt : nil
        return [jobs.values.map(\.abortAt).min(), report, stopDeadline].compactMap { $0 }.min()
    }

    // MARK: Leases

    private mutating func take(_ answer: LeaseAnswer, of number: AskNumber, _ now: Int64) -> [FetcherAction] {
        // An answer comes once for each request; a request that was given up has none.
        guard let ask = asks.removeValue(forKey: number) else { return [] }
        toGiveBack.subtract(ask.givenBack)
        var actions = acknowledge(ask, open: answer.open, now)
        for lease in answer.leases {
            if stoppedAt != nil {
                toGiveBack.insert(lease.id)
                continue
            }
            // Counted from the first time that this request was sent: the cache counts from later.
            let end = ask.sentAt + Int64(lease.durationMilliseconds)
            guard end - now >= limits.leastLeaseLeft else {
                actions.append(.count(.lateLeases))
                continue
            }
            guard jobs[lease.id] == nil, done[lease.id] == nil else { continue }
            jobs[lease.id] = Job(lease: lease, abortAt: end - limits.leaseMargin)
            actions += [.fetch(lease, by: end - limits.outcomeMargin), .count(.fetches)]
        }
        askAgainAt = answer.open.isEmpty ? nil : now + limits.reportInterval
        return actions
    }

    private mutating func acknowledge(_ ask: Ask, open: [LeaseID], _ now: Int64) -> [FetcherAction] {
        let open = Set(open)
        var actions: [FetcherAction] = []
        for lease in ask.reported.sorted() {
            guard let outcome = done[lease] else { continue }
            guard open.contains(lease) else {
                done[lease] = nil
                toGiveBack.formUnion(heldBack.removeValue(forKey: lease) ?? [])
                continue
            }
            guard now - outcome.publishedAt >= limits.republishInterval else { continue }
            done[lease]?.publishedAt = now
            actions += [.publish(outcome.source, outcome.outcome), .count(.republished)]
        }
        return actions
    }

    private mutating func giveUp(_ number: AskNumber, _ now: Int64) -> [FetcherAction] {
        guard asks.removeValue(forKey: number) != nil else { return [] }
        askAgainAt = now + limits.reportInterval
        return []
    }

    private var wantsToAsk: Bool {
        guard asks.isEmpty else { return false }
        if stoppedAt != nil { return !done.isEmpty || !toGiveBack.isEmpty }
        return jobs.count < limits.slots || !done.isEmpty
    }

    private mutating func ask(_ now: Int64) -> [FetcherAction] {
        lastAsk += 1
        let ask = Ask(sentAt: now, reported: Set(done.keys), givenBack: toGiveBack)
        asks[lastAsk] = ask
        askAgainAt = nil
        let request = LeaseRequest(
            slots: stoppedAt == nil ? max(0, limits.slots - jobs.count) : 0,
            unacknowledged: ask.reported.sorted(),
            givenBack: ask.givenBack.sorted(),
            parserVersion: parserVersion
        )
        return [.ask(lastAsk, request)]
    }

    // MARK: Fetches

    private mutating func finish(_ lease: LeaseID, _ outcome: FetchOutcome, _ now: Int64) -> [FetcherAction] {
        guard let job = jobs.removeValue(forKey: lease) else { return [] }
        done[lease] = Done(source: job.lease.source, outcome: outcome, publishedAt: now)
        return [.publish(job.lease.source, outcome)] + holdBack(outcome, of: job.lease)
    }

    /// Ends what else is asked of a host that wants to be left alone; the cache hands it out again when it may.
    private mutating func holdBack(_ outcome: FetchOutcome, of lease: Lease) -> [FetcherAction] {
        guard outcome.data.failure?.class == .rateLimited else { return [] }
        let host = outcome.data.answeredBy ?? OriginHost.name(of: lease.url)
        let others = jobs.filter { OriginHost.name(of: $0.value.lease.url) == host }.keys.sorted()
        for other in others { jobs[other] = nil }
        if !others.isEmpty { heldBack[lease.id] = others }
        return others.flatMap { [.abort($0), .count(.heldBack)] }
    }

    private mutating func stop(_ now: Int64) -> [FetcherAction] {
        guard stoppedAt == nil else { return [] }
        stoppedAt = now
        // A newer request ends the wait of the one before: the cache gives that no leases any more.
        return ask(now)
    }

    private mutating func tick(_ now: Int64) -> [FetcherAction] {
        var actions: [FetcherAction] = []
        for (id, job) in jobs.sorted(by: { $0.key < $1.key }) where job.abortAt <= now {
            jobs[id] = nil
            actions += [.abort(id), .count(.aborted)]
        }
        if let stoppedAt, now - stoppedAt >= limits.stopPatience {
            for id in jobs.keys.sorted() {
                actions += [.abort(id), .count(.aborted)]
                toGiveBack.insert(id)
            }
            jobs = [:]
        }
        if wantsToAsk, askAgainAt.map({ $0 <= now }) ?? true { actions += ask(now) }
        return actions
    }
}
