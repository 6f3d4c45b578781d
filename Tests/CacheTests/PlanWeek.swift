// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import ServiceEngine
import TestSupport
import WidgetSchema

@testable import Cache

/// A simulated week of a cache with a consumer of its plan, which records when each picture may change next.
///
/// Only a push, a command to a widget of the same source, a changed file or a new configuration may change a picture
/// earlier than announced. For midnights, a change of the clock counts as well.
final class PlanWeek {
    /// The two kinds of changes, which are never mixed.
    private enum Kind: Hashable { case certain, possible }

    /// The visible state of a widget on a display, as far as it depends on the cache.
    private struct Picture: Hashable {
        var content: ContentDigest?
        var failure: String?
        var isRefreshing: Bool?
        var day: CalendarDate?
        var staleSince: Instant?
    }

    private struct Place: Hashable {
        var widget: WidgetID
        var display: DisplayName
    }

    /// An attempt in flight, with its outcome and the time of the simulation at which it arrives.
    private struct Flight {
        var lease: Lease
        var end: Int64
    }

    static let length: Int64 = 7 * 24 * 3_600_000

    private(set) var violations: [String] = []
    /// The number of pictures that changed while a lower limit was announced.
    private(set) var checkedChanges = 0
    /// The number of pictures that changed and show that their content is stale.
    private(set) var marks = 0
    /// The number of announced times that were compared with the cache's own state.
    private(set) var comparedPlans = 0
    private var random: SeededGenerator
    private let cache: CacheFixture
    private var fetches = AnnouncedFetches()
    private var outcomes: [SourceID: AnnouncedFetches.ReportedFetch] = [:]
    private var pictures: [Place: Picture] = [:]
    /// The latest lower limits, in milliseconds of the simulation.
    private var limits: [Place: [Kind: Int64]] = [:]
    private var flights: [Flight] = []
    /// The time of the simulation in milliseconds; the wall clock is set to other times.
    private var elapsed: Int64 = 0
    private var lastEvent: Int64 = 0
    private var counter: UInt64 = 0
    private var requests = 0
    private var versions = 0
    /// The sources that a command or a change of a file or the configuration has made due.
    private var hurried: Set<SourceID> = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        cache = CacheFixture(Self.plan(longer: false))
    }

    /// Widgets of all kinds of sources: `w0` and `w1` share a source, `w0` to `w4` are on one host, and that of `w9` is fetched
    /// when it is shown.
    private static func plan(longer: Bool) -> CachePlan {
        var limits = CacheFixture.limits
        limits.hostSpacing = .seconds(1)
        let urls = (0..<5).map { "https://a.example/\($0 / 2)" } + ["https://b.example/5", "https://c.example/6"]
        var widgets = urls.enumerated().map { index, url in
            widget(index, SourceAddress(url: url), kind: index % 3 == 0 ? .quote : .feed, longer: longer)
        }
        widgets.append(widget(7, SourceAddress(file: "a.json", below: "/"), kind: .feed, longer: longer))
        let pushed = CacheFixture.widget(8)
        widgets.append(widget(8, SourceAddress(pushedTo: pushed), kind: .feed, longer: longer))
        widgets.append(widget(9, SourceAddress(url: "https://c.example/9"), kind: .feed, longer: longer))
        widgets[9].isFetchedWhenShown = true
        widgets[9].interval = widgets[9].minimumInterval
        return CachePlan(widgets: widgets, limits: limits)
    }

    private static func widget(_ index: Int, _ source: SourceAddress, kind: WidgetKind, longer: Bool) -> WidgetPlan {
        var displays = ["phone", "wall", "panel"].map(CacheFixture.display)
        displays[2].family = .panel
        displays[0].timeZone = "Europe/Berlin"
        displays[1].timeZone = "America/New_York"
        return WidgetPlan(
            id: CacheFixture.widget(index),
            definition: WidgetDefinition(kind: kind),
            displays: displays,
            source: source,
            interval: .seconds((index + 1) * (longer ? 1_800 : 600)),
            minimumInterval: .seconds(60),
            parsing: Parsing(kind: kind),
            staleAfter: .seconds((index + 1) * 3_600)
        )
    }

    func run() {
        perform { cache.feed(.start) }
        while elapsed < Self.length, violations.count < 10 {
            let wait = Int64.random(in: 1...1_200_000, using: &random)
            advance(to: elapsed + wait)
            if random.chance(50) { probe() } else { disturb() }
        }
    }

    // MARK: Time

    private func advance(to end: Int64) {
        while let next = nextEvent, next <= end {
            move(to: next)
            serve()
        }
        move(to: end)
    }

    /// The time of the next event other than a repetition of heads or plans.
    private var nextEvent: Int64? {
        let core = cache.core
        let due = [core.schedule.nextDeadline, core.leases.expiries.first?.at, core.clockCycles.nextDeadline]
            .compactMap { $0 }.map { elapsed + max(1, $0.milliseconds(since: cache.now)) }
        return (due + flights.map(\.end)).min()
    }

    private func move(to end: Int64) {
        // Repetitions are published each second: those before and after a longer rest are enough for the consumer.
        for moment in [lastEvent + 1_000, end - 1_000] where moment > elapsed && moment < end { tick(to: moment) }
        tick(to: max(elapsed, end))
    }

    private func tick(to moment: Int64) {
        cache.now = cache.now.advanced(byMilliseconds: moment - elapsed)
        elapsed = moment
        perform { cache.feed(.tick) }
    }

    /// Gives a fetcher what is due, and delivers the outcomes that have arrived.
    private func serve() {
        lastEvent = elapsed
        for flight in flights where flight.end <= elapsed { answer(flight.lease) }
        flights.removeAll { $0.end <= elapsed }
        guard let due = cache.core.schedule.nextDeadline, due <= cache.now else { return }
        requests += 1
        let id = "fetcher-\(requests)"
        let input = CacheInput.lease(
            cache.requester(),
            requestID: id,
            deadlineMilliseconds: 4_000,
            LeaseRequest(slots: 4, unacknowledged: [], givenBack: [])
        )
        for answer in CacheFixture.leaseAnswers(perform { cache.feed(input) }) {
            for lease in answer.leases {
                // Some outcomes never arrive, so that their leases expire.
                guard !random.chance(2) else { continue }
                flights.append(Flight(lease: lease, end: elapsed + Int64.random(in: 20...25_000, using: &random)))
            }
        }
    }

    private func answer(_ lease: Lease) {
        var fetched = Fetched(lease: lease.id, result: .notModified, answeredAt: cache.now)
        var contents: [ContentDigest: Data] = [:]
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<10:
            versions += 1
            fetched.result = .content
            fetched.contents = lease.parsings.map { parsing in
                let text = "\(parsing.key)\(versions)"
                let digest = CacheFixture.digest(text)
                contents[digest] = Data(text.utf8)
                return ContentReference(parsing: parsing.key, digest: digest)
            }
            if random.chance(30) { fetched.freshness.lifetimeSeconds = Int.random(in: 0...20_000, using: &random) }
            if random.chance(10) { fetched.advice = PublisherAdvice(timeToLiveSeconds: 40_000) }
            if random.chance(5) { fetched.location = "https://b.example/moved" }
        case 10: fail(&fetched, .rateLimited, status: 429)
        case 11: fail(&fetched, .permanent, status: random.chance(20) ? 410 : 404)
        case 12, 13: fail(&fetched, .transient, status: 500)
        default: break
        }
        if fetched.failure?.class == .rateLimited, random.chance(70) {
            fetched.freshness.retryAfterSeconds = Int.random(in: 1...7_200, using: &random)
        }
        perform { cache.feed(.fetched(lease.source, fetched, contents: contents)) }
        hurried.remove(lease.source)
    }

    private func fail(_ fetched: inout Fetched, _ failure: AttemptFailure.Class, status: Int) {
        fetched.result = .failed
        fetched.failure = AttemptFailure(class: failure, message: "\(versions)", status: status)
    }

    // MARK: Disturbances

    private func disturb() {
        lastEvent = elapsed
        counter += 1
        let widget = CacheFixture.widget(Int.random(in: 0...9, using: &random))
        switch Int.random(in: 0..<14, using: &random) {
        case 0..<4:
            let command: Command = random.chance(50) ? .refresh : .performUpdate
            hurry { $0 == widget }
            perform { cache.command(command, counter: counter, on: widget) }
        case 4:
            hurry { $0 == widget }
            perform { cache.command(.nextValue, counter: counter, on: widget) }
        case 5:
            let pushed = CacheFixture.widget(8)
            withdraw { $0 == pushed }
            perform { cache.push(["\(counter)"], counter: counter, to: pushed) }
        case 6:
            hurry { $0 == CacheFixture.widget(7) }
            perform { cache.feed(.filesChanged(nil)) }
        case 7:
            hurry { _ in true }
            cache.plan = Self.plan(longer: random.chance(50))
            perform { cache.feed(.configure(cache.plan)) }
        case 8:
            let change = Int64.random(in: -40_000_000...40_000_000, using: &random)
            for place in limits.keys { limits[place]?[.certain] = nil }
            cache.now = cache.now.advanced(byMilliseconds: change)
            perform { cache.feed(.clockJumped(change)) }
        case 9:
            perform { cache.restart() }
            compareAfterRestart("the cache")
        case 10:
            fetches = AnnouncedFetches()
            compareAfterRestart("the gateway")
        case 11, 12:
            let shown = CacheFixture.widget(9)
            let at = cache.now.advanced(byMilliseconds: Int64.random(in: 0...7_200_000, using: &random))
            withdraw { $0 == shown }
            perform { cache.feed(.shown(cache.requester(), ShownRequest(widgets: [shown], at: at))) }
        default: break
        }
    }

    /// Withdraws the limits of widgets, and does not check the next outcome of their sources.
    private func hurry(_ matches: (WidgetID) -> Bool) {
        let sources = Set(cache.plan.widgets.values.filter { matches($0.id) }.map(\.source.id))
        hurried.formUnion(sources)
        withdraw { widget in cache.plan.widgets[widget].map { sources.contains($0.source.id) } ?? false }
    }

    private func withdraw(_ matches: (WidgetID) -> Bool) {
        for place in limits.keys where matches(place.widget) { limits[place] = nil }
    }

    private func compareAfterRestart(_ restarted: String) {
        for _ in 0..<15 {
            tick(to: elapsed + 1_000)
            serve()
        }
        tick(to: elapsed + 1_000)
        compare("15 s after a restart of \(restarted)")
    }

    // MARK: The consumer

    /// Performs the effects of the cache as a consumer sees them, and checks the pictures that they change.
    @discardableResult
    private func perform(_ feed: () -> CacheStep) -> CacheStep {
        let step = feed()
        for effect in step.effects {
            if case .publishSchedule(let schedule, _) = effect { fetches.take(schedule, at: cache.now) }
        }
        for cycle in CacheFixture.cycles(step) { show(cycle) }
        return step
    }

    private func show(_ cycle: Event<Refreshed>) {
        guard let widget = cycle.widget, let source = cache.plan.widgets[widget]?.source.id else { return }
        let data = cycle.data
        if data.times.answered != nil, let committed = data.times.committed {
            outcomes[source] = AnnouncedFetches.ReportedFetch(committed: committed, heard: cache.now)
        }
        var changesNothing = data.cause == .clock
        for display in data.displays {
            let place = Place(widget: widget, display: display.name)
            let day =
                data.definition.kind.dependsOnDay(on: display)
                ? LocalDays(identifier: display.timeZone)?.date(at: data.instant) : nil
            let picture = Picture(
                content: data.content?.digest,
                failure: data.content == nil ? data.failure?.message : nil,
                isRefreshing: data.isRefreshing,
                day: day,
                staleSince: display.family == .panel ? data.staleSince : nil
            )
            let before = pictures.updateValue(picture, forKey: place)
            guard let before, before != picture else { continue }
            changesNothing = false
            if picture.staleSince != nil { marks += 1 }
            check(place, before, picture, source, cause: data.cause)
        }
        if changesNothing { violations.append("\(widget): a clock cycle at \(data.instant) changes no picture") }
    }

    private func check(_ place: Place, _ before: Picture, _ picture: Picture, _ source: SourceID, cause: Cause) {
        // A fetch may also be the first cycle of a new day.
        let isMidnight = before.day != picture.day
        var rest = before
        rest.day = picture.day
        // The mark of stale content is no change that a reader waits for.
        if rest.staleSince == nil { rest.staleSince = picture.staleSince }
        if isMidnight { check(place, .certain, cause) }
        if rest != picture, cause == .refresh, !hurried.contains(source) { check(place, .possible, cause) }
    }

    private func check(_ place: Place, _ kind: Kind, _ cause: Cause) {
        guard let limit = limits[place]?[kind] else { return }
        checkedChanges += 1
        guard elapsed < limit else { return }
        violations.append(
            "\(place.widget) on \(place.display) changed \(limit - elapsed) ms before the \(kind) limit, cause \(cause)"
        )
    }

    /// Asks when each picture may change next, as a panel does.
    private func probe() {
        // Changes are announced within a second.
        tick(to: elapsed + 1_000)
        compare("at \(elapsed)")
        for plan in cache.plan.widgets.values {
            for display in plan.displays {
                let place = Place(widget: plan.id, display: display.name)
                limits[place] = [:]
                if let record = cache.core.state.widgets[plan.id],
                    let certain = VisibleChange.next(
                        for: record.definition,
                        on: [display],
                        after: record.committed ?? cache.now
                    ), certain > cache.now
                {
                    limits[place]?[.certain] = elapsed + certain.milliseconds(since: cache.now)
                }
                guard !plan.source.isPushed, let fetch = announced(plan.source.id) else { continue }
                guard let next = fetches.nextAttempt(fetch, at: cache.now) else { continue }
                if next <= cache.now { violations.append("\(plan.id): \(next) is announced at \(cache.now)") }
                // A picture whose source is due or being fetched may change at any time.
                let blocked = fetch.host.flatMap { fetches.blockedUntil($0, at: cache.now) } != nil
                guard fetch.state == .scheduled, blocked || fetch.next.map({ $0 > cache.now }) ?? false else {
                    continue
                }
                limits[place]?[.possible] = elapsed + next.milliseconds(since: cache.now)
            }
        }
    }

    private func announced(_ source: SourceID) -> PlannedFetch? {
        fetches.fetch(of: source, after: outcomes[source], at: cache.now)
    }

    /// Compares the announced plan of each source with the cache's own state.
    private func compare(_ moment: String) {
        for source in cache.core.sources.keys.sorted() {
            guard let record = cache.core.state.sources[source] else { continue }
            comparedPlans += 1
            guard let fetch = announced(source) else {
                violations.append("\(source): the plan is unknown \(moment)")
                continue
            }
            let host = cache.core.host(of: source)
            let end = cache.core.schedule.record(of: host).blockedUntil.flatMap { $0 > cache.now ? $0 : nil }
            if fetch.host.flatMap({ fetches.blockedUntil($0, at: cache.now) }) != end {
                violations.append(
                    "\(source): the pause of '\(host)' ends \(end as Any), which is not announced \(moment)"
                )
            }
            let isRunning = cache.core.state.leases[source] != nil
            let isResting = cache.core.isVoid(record, of: source, now: cache.now)
            let isPlanned = !isRunning && !isResting && record.goneSince == nil
            let expected = !isPlanned ? nil : cache.core.plannedAttempt(of: source, record)
            guard fetch.next != expected || (fetch.state == .running) != isRunning else { continue }
            violations.append("\(source): \(fetch) is announced, \(expected as Any) is planned \(moment)")
        }
    }
}
