// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import Testing
import WidgetSchema

@testable import ServiceRuntime

@Suite struct PeerWatchTests {
    private let begin = ContinuousClock.now
    private let own: InstanceName
    private let other: InstanceName
    private let third: InstanceName
    private let digests: [ContentDigest]

    init() throws {
        own = try #require(InstanceName(rawValue: "own"))
        other = try #require(InstanceName(rawValue: "other"))
        third = try #require(InstanceName(rawValue: "third"))
        digests = try ["a", "b"].map { try #require(ContentDigest(rawValue: String(repeating: $0, count: 64))) }
    }

    private func watch(expected: Int = 0) -> PeerWatch {
        PeerWatch(service: .cache, own: own, expectedStandbys: expected, now: begin)
    }

    private func health(
        _ role: Health.Role?,
        term: Term? = nil,
        state: Health.State = .ready,
        configuration: ContentDigest? = nil
    ) -> Health {
        Health(
            state: state,
            version: "1",
            startedAt: Instant(milliseconds: 0),
            role: role,
            term: term,
            configurationDigest: configuration
        )
    }

    @Test func onlyALiveActivePeerWithAHigherTermIsSuperior() {
        var watch = watch()
        let term = Term(timeline: 1, token: 5)
        watch.hear(health(.active, term: Term(timeline: 9, token: 9)), of: own, now: begin)
        watch.hear(health(.active, term: term), of: other, now: begin)
        watch.hear(health(.standby, term: Term(timeline: 2, token: 1)), of: third, now: begin)
        #expect(watch.superior(to: term) == nil)
        watch.hear(health(.active, term: Term(timeline: 2, token: 1)), of: third, now: begin)
        #expect(watch.superior(to: term)?.instance == third)
        watch.hear(health(.active, term: Term(timeline: 2, token: 1), state: .gone), of: third, now: begin)
        #expect(watch.superior(to: term) == nil)
    }

    @Test func aPeerWithoutNewsIsForgotten() {
        var watch = watch()
        watch.hear(health(.active, term: Term(token: 2)), of: other, now: begin)
        watch.forget(now: begin + PeerWatch.peerTimeout - .milliseconds(1))
        #expect(watch.superior(to: Term(token: 1)) != nil)
        watch.forget(now: begin + PeerWatch.peerTimeout)
        #expect(watch.superior(to: Term(token: 1)) == nil)
    }

    @Test func aMissingStandbyIsAnAlarmAfterTheGracePeriod() throws {
        var watch = watch(expected: 1)
        let late = begin + PeerWatch.grace
        #expect(watch.problem(configuration: nil, now: late - .milliseconds(1)) == nil)
        let problem = try #require(watch.problem(configuration: nil, now: late))
        #expect(problem.isAlarm)
        #expect(problem.message.contains("0 of 1 expected standbys"))
        watch.hear(health(.active, term: Term(token: 1)), of: other, now: late)
        #expect(watch.problem(configuration: nil, now: late) != nil)
        watch.hear(health(.standby), of: third, now: late)
        #expect(watch.problem(configuration: nil, now: late) == nil)
        watch.hear(health(.standby, state: .stopping), of: third, now: late)
        #expect(watch.problem(configuration: nil, now: late) != nil)
    }

    @Test func aStandbyWithAnotherConfigurationIsAWarning() throws {
        var watch = watch(expected: 1)
        watch.hear(health(.standby, configuration: digests[0]), of: other, now: begin)
        #expect(watch.problem(configuration: digests[0], now: begin) == nil)
        #expect(watch.problem(configuration: nil, now: begin) == nil)
        let problem = try #require(watch.problem(configuration: digests[1], now: begin))
        #expect(!problem.isAlarm)
        #expect(problem.message.contains("the standby other"))
    }
}
