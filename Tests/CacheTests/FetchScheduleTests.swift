// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import Cache

@Suite struct FetchScheduleTests {
    private let start = Instant(milliseconds: 1_763_683_200_000)

    @Test func aSourceThatWaitsIsNotOvertakenByOneThatBecomesDueLater() throws {
        var schedule = FetchSchedule(hostConcurrency: 1, hostSpacing: .seconds(1))
        schedule.schedule(Self.source(0), host: "a", at: start)
        schedule.schedule(Self.source(1), host: "a", at: start)
        #expect(schedule.take(at: start) == Self.source(0))
        #expect(schedule.take(at: start) == nil)
        // Nobody asks for a while, and meanwhile others become due, each before the host is free again.
        var now = start
        var taken: [SourceID] = [Self.source(0)]
        for number in 2..<6 {
            let next = now.advanced(byMilliseconds: 500)
            schedule.schedule(Self.source(number), host: "a", at: next)
            schedule.finish(try #require(taken.last), nextDue: start.advanced(byMilliseconds: 3_600_000), at: now)
            now = now.advanced(byMilliseconds: 2000)
            let source = schedule.take(at: now)
            taken.append(try #require(source))
        }
        #expect(taken == (0..<5).map(Self.source))
    }

    @Test func aHostWithMoreSourcesThanItCanServeServesThemInTurn() {
        var schedule = FetchSchedule(hostConcurrency: 1, hostSpacing: .seconds(1))
        for number in 0..<50 { schedule.schedule(Self.source(number), host: "a", at: start) }
        var now = start
        for turn in 0..<500 {
            let source = Self.source(turn % 50)
            let taken = schedule.take(at: now)
            #expect(taken == source)
            schedule.finish(source, nextDue: now, at: now)
            now = now.advanced(byMilliseconds: 1000)
        }
    }

    /// Compares the schedule with a model that examines all sources in each of many random steps.
    @Test(arguments: 0..<30)
    func everyStepGivesWhatAScheduleWithoutTricksMayGive(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let concurrency = Int.random(in: 1...3, using: &random)
        let spacing = [0, 0, 300, 1000].randomElement(using: &random) ?? 0
        var schedule = FetchSchedule(hostConcurrency: concurrency, hostSpacing: .milliseconds(spacing))
        var model = NaiveSchedule(concurrency: concurrency, spacing: Int64(spacing))
        var now = start
        for _ in 0..<600 {
            let number = Int.random(in: 0..<24, using: &random)
            let (source, host) = (Self.source(number), "h\(number % 4)")
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<25:
                let due = now.advanced(byMilliseconds: Int64.random(in: -500...3000, using: &random))
                schedule.schedule(source, host: host, at: due)
                model.schedule(source, host: host, at: due)
            case 25..<35 where model.due[source] != nil || model.taken.contains(source):
                let due = now.advanced(byMilliseconds: Int64.random(in: -500...3000, using: &random))
                schedule.finish(source, nextDue: due, at: now)
                model.finish(source, due)
            case 35..<40:
                schedule.remove(source)
                model.remove(source)
            case 40..<44:
                let end = now.advanced(byMilliseconds: Int64.random(in: 0...2500, using: &random))
                schedule.pause(host, until: end)
                model.block(host, until: end)
            case 44..<54:
                for source in model.taken.sorted() where Bool.random(using: &random) {
                    let due = now.advanced(byMilliseconds: Int64.random(in: 0...2000, using: &random))
                    schedule.finish(source, nextDue: due, at: now)
                    model.finish(source, due)
                }
            case 54..<75:
                now = now.advanced(byMilliseconds: Int64.random(in: 0...700, using: &random))
            case 75..<80:
                // Exactly when the schedule says that something may have changed.
                guard let deadline = schedule.nextDeadline, deadline > now else { continue }
                #expect(!model.canTake(before: deadline, since: now), "slept past something that could be taken")
                now = deadline
            default:
                while true {
                    let possible = model.possible(at: now)
                    let taken = schedule.take(at: now)
                    #expect(taken.map(possible.contains) ?? possible.isEmpty)
                    guard let taken, possible.contains(taken) else { break }
                    model.start(taken, at: now)
                }
            }
        }
    }

    private static func source(_ number: Int) -> SourceID {
        let digits = String(number, radix: 16)
        guard let id = SourceID(rawValue: String(repeating: "0", count: 16 - digits.count) + digits) else {
            preconditionFailure("16 digits are a source id")
        }
        return id
    }
}

/// A model of the schedule that applies the rules to all sources each time.
private struct NaiveSchedule {
    let concurrency: Int
    let spacing: Int64
    var due: [SourceID: Instant] = [:]
    var taken: Set<SourceID> = []
    var hosts: [SourceID: String] = [:]
    var nextStart: [String: Instant] = [:]
    var blocked: [String: Instant] = [:]

    init(concurrency: Int, spacing: Int64) {
        self.concurrency = concurrency
        self.spacing = spacing
    }

    mutating func schedule(_ source: SourceID, host: String, at moment: Instant) {
        guard !taken.contains(source) else { return }
        hosts[source] = host
        due[source] = moment
    }

    mutating func finish(_ source: SourceID, _ moment: Instant) {
        taken.remove(source)
        due[source] = moment
    }

    mutating func remove(_ source: SourceID) {
        taken.remove(source)
        due[source] = nil
    }

    mutating func block(_ host: String, until end: Instant) { blocked[host] = max(end, blocked[host] ?? end) }

    mutating func start(_ source: SourceID, at now: Instant) {
        due[source] = nil
        taken.insert(source)
        if spacing > 0, let host = hosts[source] { nextStart[host] = now.advanced(byMilliseconds: spacing) }
    }

    /// Returns the earliest time at which a source can be taken; nil if its host is busy until another fetch ends.
    private func earliestTime(of source: SourceID, due: Instant) -> Instant? {
        guard let host = hosts[source], taken.count(where: { hosts[$0] == host }) < concurrency else { return nil }
        return [due, nextStart[host], blocked[host]].compactMap { $0 }.max()
    }

    func possible(at now: Instant) -> Set<SourceID> {
        Set(due.filter { source, at in earliestTime(of: source, due: at).map { $0 <= now } ?? false }.keys)
    }

    /// Returns whether a source becomes available after `now` and before `end`.
    func canTake(before end: Instant, since now: Instant) -> Bool {
        due.contains { source, at in earliestTime(of: source, due: at).map { $0 > now && $0 < end } ?? false }
    }
}
