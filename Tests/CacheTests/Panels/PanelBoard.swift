// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import ServiceEngine
import TestSupport
import WidgetSchema

@testable import Cache

/// A board whose sources a cache fetches on a simulated clock: the origins change, fail and ask for pauses.
final class PanelBoard {
    /// A source of the board.
    struct Source: Sendable {
        var interval: Duration
        /// The mean time between two changes of its content.
        var changes: Duration
        /// The `max-age` of its answers in seconds; nil if they have none.
        var maxAge: Int?
        var isFetchedWhenShown = false
    }

    /// A request in flight, with the time at which its outcome arrives.
    private struct Flight {
        var lease: Lease
        var end: Instant
    }

    private static let day: Int64 = 86_400_000
    /// The numbers of requests, of 1,000, that fail, and that are answered with 429 and a pause of half an hour.
    private static let (failures, refusals) = (10, 3)

    let cache: CacheFixture
    private(set) var fetches = AnnouncedFetches()
    /// The number of requests to origins.
    private(set) var requests = 0
    /// The times of the answers with other content that no panel has shown yet.
    private(set) var unseen: [Instant] = []
    private let sources: [Source]
    private let showsDay: Bool
    private var random: SeededGenerator
    private var flights: [Flight] = []
    private var reported: [SourceID: AnnouncedFetches.ReportedFetch] = [:]
    private var contents: [WidgetID: ContentDigest] = [:]
    /// The times of the changes of each source.
    private var versions: [SourceID: [Instant]] = [:]
    private var lastTick: Instant

    init(_ sources: [Source], showsDay: Bool, days: Int64, seed: UInt64) {
        self.sources = sources
        self.showsDay = showsDay
        random = SeededGenerator(seed: seed)
        var plan = CacheFixture.plan(sources.indices.map { "https://host\($0 / 2).example/\($0)" })
        for (index, source) in sources.enumerated() {
            let id = CacheFixture.widget(index)
            plan.widgets[id]?.isFetchedWhenShown = source.isFetchedWhenShown
            plan.widgets[id]?.minimumInterval = .seconds(300)
            plan.widgets[id]?.interval = source.isFetchedWhenShown ? .seconds(300) : source.interval
        }
        cache = CacheFixture(plan)
        lastTick = cache.now
        for (index, source) in sources.enumerated() {
            guard let id = plan.widgets[CacheFixture.widget(index)]?.source.id else { continue }
            var (times, next) = ([Instant](), cache.now)
            let end = cache.now.advanced(byMilliseconds: (days + 1) * Self.day)
            while next < end {
                let wait = -log(Double.random(in: 0.0001...1, using: &random)) * (source.changes / .seconds(1))
                next = next.advanced(byMilliseconds: Int64(wait * 1_000))
                times.append(next)
            }
            versions[id] = times
        }
        perform(cache.feed(.start))
    }

    var now: Instant { cache.now }
    var widgets: [WidgetID] { sources.indices.map(CacheFixture.widget) }

    /// The pixels of the board as it is now.
    var picture: Data {
        var text = widgets.map { contents[$0]?.rawValue ?? "-" }.joined(separator: "\n")
        if showsDay { text += "\n\(now.milliseconds / Self.day)" }
        return Data([0x89, 0x50, 0x4E, 0x47]) + Data(text.utf8)
    }

    /// The next time at which the picture changes without new content; nil if there is none.
    var certainChange: Instant? {
        showsDay ? Instant(milliseconds: (now.milliseconds / Self.day + 1) * Self.day) : nil
    }

    func source(of widget: WidgetID) -> SourceID? { cache.plan.widgets[widget]?.source.id }

    func isFetchedWhenShown(_ widget: WidgetID) -> Bool { cache.plan.widgets[widget]?.isFetchedWhenShown == true }

    func lastReported(of source: SourceID) -> AnnouncedFetches.ReportedFetch? { reported[source] }

    /// Forgets the answers that a panel shows now, and returns their times.
    func see() -> [Instant] {
        defer { unseen = [] }
        return unseen
    }

    // MARK: Time

    /// Runs the cache and its fetchers until a time.
    func run(until end: Instant) {
        while let next = nextEvent, next <= end {
            tick(at: max(next, now))
            serve()
        }
        // Plans are repeated each second: those of the last two are enough for whoever asks at the end.
        let before = end.advanced(byMilliseconds: -1_000)
        if before > now { tick(at: before) }
        tick(at: end)
    }

    private var nextEvent: Instant? {
        let core = cache.core
        let due = [core.schedule.nextDeadline, core.leases.expiries.first?.at, core.clockCycles.nextDeadline]
            .compactMap { $0 }.map { max($0, lastTick.advanced(byMilliseconds: 1)) }
        return (due + flights.map(\.end)).min()
    }

    private func tick(at instant: Instant) {
        cache.now = instant
        lastTick = instant
        perform(cache.feed(.tick))
    }

    private func serve() {
        for flight in flights where flight.end <= now { answer(flight.lease) }
        flights.removeAll { $0.end <= now }
        guard let due = cache.core.schedule.nextDeadline, due <= now else { return }
        let input = CacheInput.lease(
            cache.requester(),
            requestID: "fetcher-\(requests)-\(now.milliseconds)",
            deadlineMilliseconds: 4_000,
            LeaseRequest(slots: 16, unacknowledged: [], givenBack: [])
        )
        for answer in CacheFixture.leaseAnswers(perform(cache.feed(input))) {
            for lease in answer.leases {
                requests += 1
                let latency = Int64.random(in: 100...3_000, using: &random)
                flights.append(Flight(lease: lease, end: now.advanced(byMilliseconds: latency)))
            }
        }
    }

    private func answer(_ lease: Lease) {
        switch Int.random(in: 0..<1_000, using: &random) {
        case ..<Self.failures: perform(cache.answer(lease, .failed, failure: .transient))
        case ..<(Self.failures + Self.refusals):
            perform(cache.answer(lease, .failed, failure: .rateLimited, retryAfter: 1_800))
        default:
            let version = versions[lease.source]?.count { $0 <= now } ?? 0
            let text = "\(lease.source) \(version)"
            let digest = CacheFixture.digest(text)
            let index = sources.indices.first { source(of: CacheFixture.widget($0)) == lease.source }
            var fetched = Fetched(lease: lease.id, result: .content, answeredAt: now)
            fetched.contents = [ContentReference(parsing: "feed", digest: digest)]
            fetched.bodyDigest = digest
            fetched.freshness.lifetimeSeconds = index.flatMap { sources[$0].maxAge }
            perform(cache.answer(lease, fetched, contents: [text]))
        }
    }

    @discardableResult
    func perform(_ step: CacheStep) -> CacheStep {
        for effect in step.effects {
            if case .publishSchedule(let schedule, _) = effect { fetches.take(schedule, at: now) }
        }
        for cycle in CacheFixture.cycles(step) {
            guard let widget = cycle.widget, let source = source(of: widget) else { continue }
            if cycle.data.times.answered != nil, let committed = cycle.data.times.committed {
                reported[source] = AnnouncedFetches.ReportedFetch(committed: committed, heard: now)
            }
            guard let digest = cycle.data.content?.digest, contents.updateValue(digest, forKey: widget) != digest else {
                continue
            }
            unseen.append(now)
        }
        return step
    }
}
