// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Bus

@Suite struct BusCoreTests {
    /// A core with a clock that the test moves.
    private struct Fixture {
        var core: BusCore
        var now: ClockReading
        private var counter = 0

        init() throws {
            now = ClockReading(wall: Instant(milliseconds: 1_763_683_200_000), monotonic: .now)
            let instance = try #require(InstanceName(rawValue: "bus-1"))
            core = BusCore(instance: instance, nonce: "nonce", version: "1", now: now)
        }

        mutating func advance(_ duration: Duration) {
            now = ClockReading(
                wall: now.wall.advanced(byMilliseconds: Int64(duration / .milliseconds(1))),
                monotonic: now.monotonic + duration
            )
        }

        mutating func handle(_ input: BusCore.Input) -> [BusCore.Action] { core.handle(input, now: now) }

        mutating func register(
            _ service: ServiceName,
            _ name: String,
            peer: String,
            state: Health.State = .ready,
            role: Health.Role? = nil,
            term: Term? = nil
        ) throws -> [BusCore.Action] {
            counter += 1
            let body = RegisterRequest(
                service: service,
                instance: try #require(InstanceName(rawValue: name)),
                health: Health(state: state, version: "1", startedAt: Instant(milliseconds: 0), role: role, term: term)
            )
            let json = try WireJSON.encode(Request(body, deadlineMilliseconds: 1000))
            return handle(.received([peer, "bus", "id-\(counter)"].map { Data($0.utf8) } + [json]))
        }

        mutating func ask(_ target: String, id: String = "a-1", requester: String = "requester") -> [BusCore.Action] {
            handle(
                .received([requester, target, id, #"{"request":"x","deadlineMilliseconds":1}"#].map { Data($0.utf8) })
            )
        }
    }

    private var fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func deliveries(_ actions: [BusCore.Action]) -> [Delivery] {
        actions.compactMap { if case .deliver(let delivery) = $0 { delivery } else { nil } }
    }

    private func peers(_ actions: [BusCore.Action]) -> [String] {
        deliveries(actions).map { String(decoding: $0.peer, as: UTF8.self) }
    }

    private func error(_ actions: [BusCore.Action]) throws -> RequestError? {
        guard let frames = deliveries(actions).first?.frames, frames.count == 3 else { return nil }
        guard case .error(let error) = try WireJSON.decode(Answer<Done>.self, from: frames[2]) else { return nil }
        return error
    }

    private func states(_ actions: [BusCore.Action]) throws -> [String: Health.State] {
        var states: [String: Health.State] = [:]
        for case .publish(let topic, let frames) in actions {
            states[topic.text] = try WireJSON.decode(Event<Health>.self, from: #require(frames.first)).data.state
        }
        return states
    }

    // MARK: Requests

    @Test mutating func aRequestReachesItsServiceAndTheAnswerItsRequester() throws {
        _ = try fixture.register(.cache, "one", peer: "peer-1")
        let sent = try #require(deliveries(fixture.ask("cache")).first)
        #expect(sent.frames.count == 5)
        let route = sent.frames[1]
        #expect(sent.frames[0] == Data("peer-1".utf8))
        #expect(sent.frames[2] == Data("a-1".utf8))
        let answer =
            ["peer-1", "~answer"].map { Data($0.utf8) } + [route] + ["a-1", "{}", "c1", "c2"].map { Data($0.utf8) }
        let delivered = deliveries(fixture.handle(.received(answer)))
        #expect(delivered.map(\.frames) == [["requester", "a-1", "{}", "c1", "c2"].map { Data($0.utf8) }])
        #expect(fixture.core.counters.requests == 2)
        #expect(fixture.core.counters.answers == 1)
    }

    @Test mutating func anAnswerFromAnotherInstanceThanTheAskedOneIsDropped() throws {
        _ = try fixture.register(.cache, "one", peer: "peer-1")
        let sent = try #require(deliveries(fixture.ask("cache")).first)
        func answer(_ peer: String, _ route: Data, _ id: String) -> [Data] {
            [peer, "~answer"].map { Data($0.utf8) } + [route] + [id, "{}"].map { Data($0.utf8) }
        }
        var wrong = sent.frames[1]
        wrong[wrong.count - 1] ^= 1
        for (peer, route, id) in [
            ("stranger", sent.frames[1], "a-1"), ("peer-1", wrong, "a-1"), ("peer-1", sent.frames[1], "a-2"),
        ] {
            #expect(fixture.handle(.received(answer(peer, route, id))) == [])
        }
        #expect(fixture.core.counters.foreignAnswers == 3)
        #expect(deliveries(fixture.handle(.received(answer("peer-1", sent.frames[1], "a-1")))).count == 1)
    }

    @Test mutating func aConnectionRegistersOneInstanceAndEndsNoOther() throws {
        _ = try fixture.register(.cache, "one", peer: "peer-1")
        _ = try fixture.register(.layout, "one", peer: "peer-1")
        _ = try fixture.register(.cache, "one", peer: "stranger", state: .stopping)
        #expect(fixture.core.counters.foreignRegistrations == 2)
        #expect(fixture.core.instanceCount == 1)
        #expect(deliveries(fixture.ask("cache")).first?.frames[0] == Data("peer-1".utf8))
        _ = try fixture.register(.cache, "one", peer: "peer-1", state: .stopping)
        #expect(fixture.core.instanceCount == 0)
    }

    @Test mutating func anotherActiveInstanceWithTheSameTermGetsNoRequests() throws {
        func asked() -> Data? { deliveries(fixture.ask("cache")).first?.frames[0] }
        _ = try fixture.register(.cache, "b", peer: "b", role: .active, term: Term(token: 9))
        _ = try fixture.register(.cache, "a", peer: "a", role: .active, term: Term(token: 9))
        #expect(asked() == Data("b".utf8))
        _ = try fixture.register(.cache, "b", peer: "b", state: .stopping)
        #expect(asked() == Data("a".utf8))
        _ = try fixture.register(.cache, "c", peer: "c", role: .active, term: Term(token: 10))
        #expect(asked() == Data("c".utf8))
    }

    @Test mutating func aForwardedRequestTellsHowItsRequesterIsRegistered() throws {
        _ = try fixture.register(.cache, "one", peer: "peer-1")
        func registration(of requester: String) throws -> String {
            let frames = try #require(deliveries(fixture.ask("cache", requester: requester)).first).frames
            return String(decoding: try #require(frames.last), as: UTF8.self)
        }
        #expect(try registration(of: "stranger") == "")
        _ = try fixture.register(.fetcher, "f-1", peer: "peer-2")
        #expect(try registration(of: "peer-2") == "fetcher/f-1")
        let probe = try #require(deliveries(try fixture.register(.fetcher, "f-1", peer: "peer-3")).first)
        _ = fixture.handle(.gone(probe))
        #expect(try registration(of: "peer-2") == "")
        #expect(try registration(of: "peer-3") == "fetcher/f-1")
        _ = try fixture.register(.fetcher, "f-1", peer: "peer-3", state: .stopping)
        #expect(try registration(of: "peer-3") == "")
    }

    @Test mutating func nobodyThereIsSaidAtOnce() throws {
        let error = try #require(try error(fixture.ask("notifier")))
        #expect(error.code == .unavailable)
        #expect(error.message.contains("notifier"))
        #expect(fixture.core.counters.unavailable == 1)
    }

    @Test mutating func requestsTakeTurns() throws {
        for name in ["b", "a", "c"] { _ = try fixture.register(.layout, name, peer: name) }
        #expect((0..<7).flatMap { _ in peers(fixture.ask("layout")) } == ["a", "b", "c", "a", "b", "c", "a"])
        _ = try fixture.register(.layout, "b", peer: "b", state: .stopping)
        #expect((0..<3).flatMap { _ in peers(fixture.ask("layout")) } == ["c", "a", "c"])
    }

    @Test mutating func aNamedInstanceIsAskedAlone() throws {
        for name in ["a", "b"] { _ = try fixture.register(.layout, name, peer: name) }
        #expect((0..<3).flatMap { _ in peers(fixture.ask("layout/b")) } == ["b", "b", "b"])
        #expect(try error(fixture.ask("layout/c"))?.code == .unavailable)
        #expect(try error(fixture.ask("bus/other"))?.code == .unavailable)
    }

    @Test(arguments: [
        (["cache", "a-1"], false), (["cache", "a-1", "{}", "x"], true), (["nobody", "a-1", "{}"], true),
        (["cache/", "a-1", "{}"], true), (["~other", "a-1", "{}"], true), (["cache", "a-1", "[]"], true),
        (["cache", "a-1", ""], true), (["cache", "", "{}"], true), (["cache", "a b", "{}"], true), (["x"], false),
        (["cache", String(repeating: "a", count: 2_000), "{}"], false),
        (["~answer", "x", "a-1", "{}"], false), (["bus", "a-1", "{}"], true),
        (["bus", "a-1", #"{"request":"register","deadlineMilliseconds":1}"#], true),
    ])
    mutating func aMalformedRequestIsAnsweredWhereItHasAnId(frames: [String], isAnswered: Bool) throws {
        let actions = fixture.handle(.received((["requester"] + frames).map { Data($0.utf8) }))
        if isAnswered {
            #expect(try error(actions)?.code == .malformed)
        } else {
            #expect(deliveries(actions).isEmpty || frames.count == 2)
        }
        #expect(fixture.core.counters.malformedRequests == 1)
    }

    @Test mutating func theBusKnowsTwoRequests() throws {
        #expect(try error(fixture.ask("bus"))?.code == .unknownRequest)
        let request = ["requester", "bus", "a-2", #"{"request":"health","deadlineMilliseconds":1}"#].map {
            Data($0.utf8)
        }
        let frames = try #require(deliveries(fixture.handle(.received(request))).first?.frames)
        let answer = try WireJSON.decode(Answer<HealthAnswer>.self, from: frames[2]).get()
        #expect(answer.service == .bus)
        #expect(answer.health.counters["bus.requests"] == 2)
    }

    // MARK: Liveness

    @Test mutating func anInstanceIsGoneAfterThreeAndAHalfSilentSeconds() throws {
        _ = fixture.handle(.tick)
        _ = try fixture.register(.cache, "one", peer: "peer-1")
        fixture.advance(.milliseconds(3499))
        #expect(try states(fixture.handle(.tick))["health/cache/one/"] == nil)
        #expect(peers(fixture.ask("cache")) == ["peer-1"])
        #expect(fixture.core.nextDue == fixture.now.monotonic + .milliseconds(1))
        fixture.advance(.milliseconds(1))
        #expect(try states(fixture.handle(.tick))["health/cache/one/"] == .gone)
        #expect(fixture.core.nextDue > fixture.now.monotonic)
        #expect(try error(fixture.ask("cache"))?.code == .unavailable)
        #expect(fixture.core.instanceCount == 0)
    }

    @Test mutating func heartbeatsKeepAnInstanceAlive() throws {
        for _ in 0..<10 {
            _ = try fixture.register(.cache, "one", peer: "peer-1")
            fixture.advance(.seconds(3))
            _ = fixture.handle(.tick)
        }
        #expect(fixture.core.instanceCount == 1)
    }

    @Test mutating func healthIsPublishedWhenItChangesAndEveryTwoSeconds() throws {
        let topic = "health/cache/one/"
        #expect(try states(fixture.register(.cache, "one", peer: "p", state: .starting)) == [topic: .starting])
        fixture.advance(.seconds(1))
        #expect(try states(fixture.register(.cache, "one", peer: "p", state: .starting)) == [:])
        #expect(try states(fixture.register(.cache, "one", peer: "p")) == [topic: .ready])
        fixture.advance(.seconds(1))
        #expect(try states(fixture.register(.cache, "one", peer: "p")) == [:])
        fixture.advance(.seconds(1))
        #expect(try states(fixture.register(.cache, "one", peer: "p")) == [topic: .ready])
        #expect(try states(fixture.register(.cache, "one", peer: "p", state: .stopping)) == [topic: .stopping])
        #expect(try states(fixture.register(.cache, "one", peer: "p", state: .stopping)) == [:])
    }

    @Test mutating func theBusSpeaksOfItself() throws {
        #expect(try states(fixture.handle(.tick)) == ["health/bus/bus-1/": .ready])
        fixture.advance(.seconds(1))
        #expect(fixture.handle(.tick) == [])
        fixture.advance(.seconds(1))
        #expect(try states(fixture.handle(.tick)) == ["health/bus/bus-1/": .ready])
        #expect(try states(fixture.handle(.stop)) == ["health/bus/bus-1/": .stopping])
    }

    @Test mutating func aStrangerDoesNotGetTheNameOfAnInstanceWhoseConnectionIsThere() throws {
        _ = try fixture.register(.cache, "one", peer: "holder", role: .active, term: Term(token: 9))
        for fails in [BusCore.Input.reached, BusCore.Input.full] {
            let asked = try fixture.register(.cache, "one", peer: "stranger", role: .active, term: Term(token: 9))
            // The holder gets an answer to its heartbeat again, which changes nothing there.
            let probe = try #require(deliveries(asked).first)
            #expect(peers(asked) == ["holder"])
            #expect(probe.isProbe)
            #expect(probe.frames[1] == Data("id-1".utf8))
            #expect(try WireJSON.decode(Answer<Done>.self, from: probe.frames[2]) == .result(Done()))
            let refused = fixture.handle(fails(probe))
            #expect(peers(refused) == ["stranger"])
            #expect(try error(refused)?.message.hasPrefix("cache/one is still connected") == true)
        }
        #expect(fixture.core.counters.foreignRegistrations == 2)
        _ = try fixture.register(.cache, "one", peer: "stranger", state: .stopping)
        #expect(peers(fixture.ask("cache")) == ["holder"])
        // The heartbeats of the holder go on.
        #expect(peers(try fixture.register(.cache, "one", peer: "holder")) == ["holder"])
    }

    @Test mutating func aNewConnectionGetsTheNameAtOnceIfTheOtherOneHasEnded() throws {
        _ = try fixture.register(.cache, "one", peer: "before")
        let probe = try #require(deliveries(try fixture.register(.cache, "one", peer: "after")).first)
        let actions = fixture.handle(.gone(probe))
        #expect(peers(actions) == ["after"])
        #expect(try error(actions) == nil)
        #expect(actions.contains(.registered(.cache, try #require(InstanceName(rawValue: "one")))))
        #expect(peers(fixture.ask("cache")) == ["after"])
        #expect(fixture.core.instanceCount == 1)
        #expect(fixture.core.counters.foreignRegistrations == 0)
        // A probe whose result comes late changes nothing for the new holder.
        let late = fixture.handle(.reached(probe))
        #expect(peers(late) == ["after"])
        #expect(try error(late) == nil)
    }

    @Test mutating func aNewConnectionGetsTheNameOfAnInstanceThatIsSilent() throws {
        _ = try fixture.register(.cache, "one", peer: "frozen")
        fixture.advance(BusCore.liveness)
        #expect(peers(try fixture.register(.cache, "one", peer: "next")) == ["frozen"])
        _ = fixture.handle(.tick)
        #expect(peers(try fixture.register(.cache, "one", peer: "next")) == ["next"])
        #expect(peers(fixture.ask("cache")) == ["next"])
        // The frozen one goes on, and does not get its name back.
        #expect(peers(try fixture.register(.cache, "one", peer: "frozen")) == ["next"])
        #expect(peers(fixture.ask("cache")) == ["next"])
    }

    @Test mutating func moreInstancesThanTheLimitAreRefused() throws {
        for number in 0..<BusCore.maximumInstances {
            _ = try fixture.register(.fetcher, "f\(number)", peer: "p\(number)")
        }
        #expect(try error(fixture.register(.fetcher, "one-more", peer: "q"))?.code == .refused)
        #expect(fixture.core.counters.refusedRegistrations == 1)
        #expect(try error(fixture.register(.fetcher, "f7", peer: "p7")) == nil)
    }

    // MARK: Failed deliveries

    @Test mutating func aRequestForAnEndedConnectionGoesToTheNextInstance() throws {
        for name in ["a", "b"] { _ = try fixture.register(.layout, name, peer: name) }
        let failed = try #require(deliveries(fixture.ask("layout")).first)
        #expect(failed.peer == Data("a".utf8))
        let actions = fixture.handle(.gone(failed))
        #expect(try states(actions) == ["health/layout/a/": .gone])
        let again = try #require(deliveries(actions).first)
        #expect(again.peer == Data("b".utf8))
        // The route differs, because it tells from whom the answer must come.
        #expect(again.frames[1] != failed.frames[1])
        #expect(Array(again.frames[2...]) == Array(failed.frames[2...]))
        #expect(try error(fixture.handle(.gone(again)))?.code == .unavailable)
    }

    @Test mutating func anAnswerForARequesterThatLeftIsCounted() throws {
        let late = Delivery(to: Data("requester".utf8), .answer([Data("a-1".utf8), Data("{}".utf8)]))
        #expect(fixture.handle(.gone(late)) == [])
        #expect(fixture.core.counters.lateAnswers == 1)
    }

    @Test mutating func aServiceThatDoesNotReadIsUnavailable() throws {
        _ = try fixture.register(.cache, "one", peer: "peer-1")
        let stuck = try #require(deliveries(fixture.ask("cache")).first)
        #expect(try error(fixture.handle(.full(stuck)))?.code == .unavailable)
        #expect(fixture.core.instanceCount == 1)
    }

    // MARK: Roles

    @Test mutating func theActiveInstanceWithTheHighestTermGetsAllRequests() throws {
        _ = try fixture.register(.cache, "a", peer: "a", role: .active, term: Term(token: 9))
        _ = try fixture.register(.cache, "b", peer: "b", role: .standby)
        _ = try fixture.register(.cache, "c", peer: "c", role: .active, term: Term(timeline: 1, token: 2))
        _ = try fixture.register(.cache, "d", peer: "d", role: .active, term: Term(token: 10))
        _ = try fixture.register(.cache, "e", peer: "e")
        for _ in 1...6 { #expect(peers(fixture.ask("cache")) == ["c"]) }
        _ = try fixture.register(.cache, "c", peer: "c", state: .stopping)
        #expect(peers(fixture.ask("cache")) == ["d"])
        _ = try fixture.register(.cache, "b", peer: "b", role: .active, term: Term(timeline: 2, token: 1))
        #expect(peers(fixture.ask("cache")) == ["b"])
    }

    @Test mutating func aStandbyGetsOnlyRequestsThatNameIt() throws {
        _ = try fixture.register(.cache, "b", peer: "b", role: .standby)
        let refusal = try #require(try error(fixture.ask("cache")))
        #expect(refusal.code == .unavailable)
        #expect(refusal.message.contains("standbys: 1"))
        #expect(peers(fixture.ask("cache/b")) == ["b"])
        _ = try fixture.register(.cache, "a", peer: "a")
        for _ in 1...3 { #expect(peers(fixture.ask("cache")) == ["a"]) }
    }

    @Test mutating func aNewTermIsPublishedAtOnce() throws {
        _ = try fixture.register(.cache, "a", peer: "a", role: .standby)
        #expect(try states(fixture.register(.cache, "a", peer: "a", role: .standby)).isEmpty)
        let news = try fixture.register(.cache, "a", peer: "a", role: .active, term: Term(token: 2))
        #expect(try states(news) == ["health/cache/a/": .ready])
    }
}
