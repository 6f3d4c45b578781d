// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@testable import Gateway

/// Tests of what a gateway remembers of updates.
@Suite struct BusViewTests {
    private func take(_ view: BusView, _ sequence: UInt64, _ change: (inout Update) throws -> Void) throws {
        var event = try Samples.event("blog", sequence)
        try change(&event.data)
        view.take(try Samples.streamed(event, offset: sequence), at: Samples.now)
    }

    @Test func theTimeOfTheLastChangeIsTheOneOfTheUpdateInEachGateway() throws {
        let (first, second) = (BusView(), BusView())
        let blog = try Samples.widget("blog")
        let (phone, wall) = (try Samples.display("phone"), try Samples.display("wall"))
        try take(first, 1) { $0.displays[phone]?.changed = Samples.now }
        for view in [first, second] {
            try take(view, 2) { update in
                update.times.decided = Samples.now.advanced(byMilliseconds: 60_000)
                update.displays[phone]?.changed = Samples.now
            }
            #expect(view.changed(blog, phone) == Samples.now.milliseconds / 1_000)
            #expect(view.changed(blog, wall) == nil, "a notifier of an earlier version did not tell it")
        }
    }

    @Test func theLastAttemptIsThatOfAFetchOrAPushAndNotThatOfACommand() throws {
        let view = BusView()
        let blog = try Samples.widget("blog")
        let committed = Samples.now.advanced(byMilliseconds: 5)
        try take(view, 1) { $0.times = CycleTimes(answered: Samples.now, committed: committed) }
        try take(view, 2) { update in
            (update.cause, update.outcome) = (.interaction, .fresh)
            update.times = CycleTimes(committed: committed.advanced(byMilliseconds: 90_000))
        }
        let attempt = try #require(view.lastAttempt(blog))
        #expect(attempt.at == Samples.now && attempt.outcome == .notModified)
        #expect(attempt.reported == AnnouncedFetches.ReportedFetch(committed: committed, heard: Samples.now))
        try take(view, 3) { update in
            (update.cause, update.outcome) = (.push, .changed)
            update.times = CycleTimes(committed: committed.advanced(byMilliseconds: 99_000))
        }
        #expect(view.lastAttempt(blog)?.at == committed.advanced(byMilliseconds: 99_000))
        try take(view, 4) { $0.reason = .removed }
        #expect(view.lastAttempt(blog) == nil)
    }

    @Test func theStatesOfAnotherEpochReplaceAllOthers() throws {
        let view = BusView()
        try take(view, 9) { _ in }
        let older = try Samples.streamed(try Samples.event("blog", 4), offset: 1)
        view.replaceStates(by: [older], at: Samples.now)
        #expect(view[try Samples.widget("blog")]?.range.sequence == 4)
        view.replaceStates(by: [], at: Samples.now)
        #expect(view.count == 0)
    }

    // MARK: Instances

    private func heartbeat(_ name: String, _ state: Health.State) throws -> Event<Health> {
        let parts = name.split(separator: "/").map(String.init)
        let service = try #require(ServiceName(rawValue: parts[0]))
        let health = Health(state: state, version: "1", startedAt: Samples.now)
        let topic = Topic.health(service, try #require(InstanceName(rawValue: parts[1])))
        return Event(topic, subject: name, nonce: "n", counter: 1, time: Samples.now, data: health)
    }

    @Test func anInstanceThatWasReplacedIsForgottenAndTheLastOneIsNot() throws {
        let view = BusView()
        for name in ["layout/a", "layout/b", "cache/a"] { view.take(try heartbeat(name, .ready)) }
        view.take(try heartbeat("layout/a", .gone))
        #expect(view.instances.keys.sorted() == ["cache/a", "layout/b"])
        view.take(try heartbeat("layout/b", .gone))
        view.take(try heartbeat("cache/a", .gone))
        #expect(view.instances.keys.sorted() == ["cache/a", "layout/b"], "nothing has replaced them")
        view.take(try heartbeat("layout/c", .starting))
        #expect(view.instances.keys.sorted() == ["cache/a", "layout/c"])
    }

    @Test func aNewInstanceHasRoomHoweverManyThereWere() throws {
        let view = BusView()
        for number in 0...BusView.maximumInstances { view.take(try heartbeat("layout/i\(number)", .ready)) }
        #expect(view.instances.count == BusView.maximumInstances)
        #expect(view.instances["layout/i\(BusView.maximumInstances)"] != nil)
        #expect(view.instances["layout/i0"] == nil, "it was silent for longest")
    }

    @Test func aHostHasOneFetcherWhileThatLives() throws {
        let view = BusView()
        #expect(view.fetcher(inspecting: "a.example") == nil)
        for name in ["fetcher/a", "fetcher/b", "layout/c"] { view.take(try heartbeat(name, .ready)) }
        let hosts = (0..<50).map { "\($0).example" }
        let chosen = hosts.map { view.fetcher(inspecting: $0)?.rawValue }
        #expect(Set(chosen) == ["a", "b"])
        #expect(hosts.map { view.fetcher(inspecting: $0)?.rawValue } == chosen)
        view.take(try heartbeat("fetcher/a", .gone))
        #expect(hosts.allSatisfy { view.fetcher(inspecting: $0)?.rawValue == "b" })
    }
}
