// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import Telemetry
import TestSupport
import Testing
import WidgetSchema

@Suite struct ClientCoreTests {
    /// A core with a clock that the test moves.
    private struct Fixture {
        var core: ClientCore
        var now = ContinuousClock.now
        let configuration: BusConfiguration

        init(subscriptions: [String] = [], publishes: Bool = false, registers: Bool = false) throws {
            configuration = BusConfiguration(
                address: .standard,
                registration: registers ? try .one(.cache) : nil,
                subscriptions: subscriptions,
                publishes: publishes,
                nonce: "n"
            )
            core = ClientCore(configuration, now: now, metrics: Self.metrics.reading)
        }

        static let metrics: Metrics = {
            let metrics = Metrics()
            metrics.counter("passed").increment(by: 3)
            metrics.gauge("open").set(7)
            metrics.histogram("duration").observe(.microseconds(1_500))
            metrics.histogram("duration").observe(.seconds(11))
            return metrics
        }()

        mutating func handle(_ input: ClientCore.Input) -> [String] {
            core.handle(input, now: now).map(Self.describe)
        }

        mutating func advance(_ duration: Duration) -> [String] {
            now += duration
            return handle(.tick)
        }

        mutating func ask(_ id: String, timeout: Duration = .seconds(10), waits: Bool = true) throws -> [String] {
            let request = OutgoingRequest(
                id: try #require(RequestID(rawValue: id)),
                target: RequestTarget(.layout),
                json: Data("{}".utf8),
                now: now,
                timeout: timeout,
                waitsForService: waits
            )
            return handle(.ask(request))
        }

        mutating func answer(_ id: String, _ json: String) -> [String] {
            handle(.received([id, json].map { Data($0.utf8) }))
        }

        /// Actions as text, so that an expectation reads as what is to happen.
        private static func describe(_ action: ClientCore.Action) -> String {
            switch action {
            case .send(let frames):
                "send " + frames.prefix(2).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            case .askForEcho: "ask for echo"
            case .count(let name): "count \(name)"
            case .deliver(.ready): "ready"
            case .deliver(.resubscribed): "resubscribed"
            case .deliver(.publisherConnected(let again)): again ? "connected again" : "connected"
            case .deliver(.answer(let id, let json, _)): "answer \(id) \(String(decoding: json, as: UTF8.self))"
            case .deliver(.requestFailed(let id, let error)): "failed \(id) \(error.code)"
            case .deliver(.registrationRefused(let error)): "refused \(error.code)"
            case .deliver(.request(let request)): "request \(request.id)"
            case .deliver(let other): "\(other)"
            }
        }
    }

    private static let unavailable = #"{"error":{"code":"unavailable","message":"nobody"}}"#

    @Test func readyNeedsAllThatWasAskedFor() throws {
        var fixture = try Fixture(subscriptions: ["update/"], publishes: true, registers: true)
        #expect(fixture.handle(.connected) == ["send bus n-heartbeat-1"])
        #expect(fixture.handle(.echoed) == [])
        #expect(fixture.handle(.publisherSubscribed) == ["connected"])
        #expect(fixture.answer("n-heartbeat-1", #"{"result":{}}"#) == ["ready"])
        #expect(fixture.handle(.echoed) == ["resubscribed"])
        #expect(fixture.handle(.publisherSubscribed) == ["connected again"])
        #expect(fixture.answer("n-heartbeat-1", #"{"result":{}}"#) == [])
    }

    @Test func aSubscriptionThatIsNotConfirmedIsAskedForAgain() throws {
        var fixture = try Fixture(subscriptions: ["update/"])
        #expect(fixture.core.nextDue == fixture.now + .seconds(5))
        #expect(fixture.advance(.seconds(4)) == [])
        #expect(fixture.advance(.seconds(1)) == ["ask for echo"])
        #expect(fixture.handle(.echoed) == ["ready"])
        #expect(fixture.advance(.seconds(60)) == [])
        #expect(fixture.core.nextDue == nil)
    }

    @Test func heartbeatsGoEachSecondWhileConnected() throws {
        var fixture = try Fixture(registers: true)
        #expect(fixture.advance(.seconds(3)) == [])
        #expect(fixture.handle(.connected) == ["send bus n-heartbeat-1"])
        #expect(fixture.advance(.milliseconds(999)) == [])
        #expect(fixture.advance(.milliseconds(1)) == ["send bus n-heartbeat-2"])
        #expect(fixture.handle(.disconnected) == [])
        #expect(fixture.advance(.seconds(2)) == [])
        #expect(fixture.handle(.connected) == ["send bus n-heartbeat-3"])
    }

    @Test func aNewStateIsSentAtOnceAndTheSameStateWithTheNextHeartbeat() throws {
        var fixture = try Fixture(registers: true)
        _ = fixture.handle(.connected)
        #expect(fixture.handle(.health(.ready, message: nil)) == ["send bus n-heartbeat-2"])
        #expect(fixture.handle(.health(.ready, message: nil)) == [])
        #expect(fixture.handle(.health(.degraded, message: "x")) == ["send bus n-heartbeat-3"])
        #expect(fixture.handle(.stop) == ["send bus n-heartbeat-4"])
        #expect(fixture.advance(.seconds(5)) == [])
    }

    @Test func heartbeatsCarryTheMetricsOfTheProcess() throws {
        var fixture = try Fixture(registers: true)
        _ = fixture.handle(.health(.ready, message: nil))
        let actions = fixture.core.handle(.connected, now: fixture.now)
        guard case .send(let frames) = try #require(actions.first) else { return }
        let request = try WireJSON.decode(Request<RegisterRequest>.self, from: frames[2])
        let health = request.body.health
        #expect(health.counters == ["passed": 3])
        #expect(health.gauges == ["open": 7])
        let histogram = try #require(health.histograms["duration"])
        #expect(histogram.boundsMicroseconds == [1_000, 5_000, 25_000, 100_000, 500_000, 2_500_000, 10_000_000])
        #expect(histogram.counts == [0, 1, 0, 0, 0, 0, 0, 1])
        #expect(histogram.sumMicroseconds == 11_001_500)
    }

    @Test func aRefusedRegistrationIsTold() throws {
        var fixture = try Fixture(registers: true)
        _ = fixture.handle(.connected)
        let error = #"{"error":{"code":"refused","message":"full"}}"#
        #expect(fixture.answer("n-heartbeat-1", error) == ["refused refused"])
    }

    @Test func aRequestIsSentAgainUntilItIsAnswered() throws {
        var fixture = try Fixture()
        #expect(try fixture.ask("a-1") == [])
        #expect(fixture.handle(.connected) == ["send layout a-1"])
        #expect(fixture.advance(.seconds(1)) == ["send layout a-1"])
        #expect(fixture.handle(.disconnected) == [])
        #expect(fixture.advance(.seconds(1)) == [])
        #expect(fixture.handle(.connected) == ["send layout a-1"])
        #expect(fixture.answer("a-1", #"{"result":{}}"#) == [#"answer a-1 {"result":{}}"#])
        #expect(fixture.answer("a-1", #"{"result":{}}"#) == ["count bus.lateAnswers"])
        #expect(fixture.advance(.seconds(10)) == [])
    }

    @Test func theDeadlineEndsARequest() throws {
        var fixture = try Fixture()
        _ = try fixture.ask("a-1", timeout: .milliseconds(2500))
        _ = fixture.handle(.connected)
        #expect(fixture.advance(.seconds(1)) == ["send layout a-1"])
        #expect(fixture.advance(.seconds(1)) == ["send layout a-1"])
        #expect(fixture.core.nextDue == fixture.now + .milliseconds(500))
        #expect(fixture.advance(.milliseconds(500)) == ["failed a-1 timedOut"])
        #expect(fixture.core.nextDue == nil)
    }

    @Test func aRequestWithoutConnectionTimesOutToo() throws {
        var fixture = try Fixture()
        _ = try fixture.ask("a-1", timeout: .seconds(1))
        #expect(fixture.core.nextDue == fixture.now + .seconds(1))
        #expect(fixture.advance(.seconds(1)) == ["failed a-1 timedOut"])
    }

    @Test func whereNobodyIsThereItAsksAgainSoonOrFails() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.connected)
        _ = try fixture.ask("a-1", timeout: .seconds(1))
        #expect(fixture.answer("a-1", Self.unavailable) == [])
        #expect(fixture.core.nextDue == fixture.now + .milliseconds(200))
        #expect(fixture.advance(.milliseconds(200)) == ["send layout a-1"])
        #expect(fixture.answer("a-1", Self.unavailable) == [])
        _ = fixture.advance(.milliseconds(200))
        #expect(fixture.advance(.milliseconds(600)) == ["failed a-1 unavailable"])
        _ = try fixture.ask("a-2", waits: false)
        #expect(fixture.answer("a-2", Self.unavailable) == ["failed a-2 unavailable"])
    }

    @Test func aForgottenRequestIsNotSentAgain() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.connected)
        _ = try fixture.ask("a-1")
        #expect(fixture.handle(.forget(try #require(RequestID(rawValue: "a-1")))) == [])
        #expect(fixture.advance(.seconds(60)) == [])
    }

    @Test func requestsAndAnswersAreToldApart() throws {
        var fixture = try Fixture(registers: true)
        _ = fixture.handle(.connected)
        let route = Data([0, 1, 2])
        let json = Data(#"{"deadlineMilliseconds":5,"request":"lease"}"#.utf8)
        #expect(fixture.handle(.received([route, Data("x-1".utf8), json])) == ["request x-1"])
        let health = Data(#"{"deadlineMilliseconds":5,"request":"health"}"#.utf8)
        let actions = fixture.core.handle(.received([route, Data("x-2".utf8), health]), now: fixture.now)
        guard case .send(let frames) = try #require(actions.first) else { return }
        #expect(Array(frames.prefix(3)) == [Data("~answer".utf8), route, Data("x-2".utf8)])
        #expect(fixture.handle(.received([route, Data("x-1".utf8)])) == ["count bus.unexpectedFrames"])
        #expect(fixture.handle(.received([Data("x-1".utf8)])) == ["count bus.unexpectedFrames"])
        #expect(fixture.handle(.received([Data(), Data()])) == ["count bus.unexpectedFrames"])
    }

    @Test func aRequestForHealthIsAnsweredIfAnEscapeSequenceIsInItsName() throws {
        var fixture = try Fixture(registers: true)
        _ = fixture.handle(.connected)
        let health = Data(#"{"deadlineMilliseconds":5,"request":"\u0068ealth"}"#.utf8)
        let actions = fixture.core.handle(.received([Data([0, 1, 2]), Data("x-1".utf8), health]), now: fixture.now)
        guard case .send = try #require(actions.first) else {
            Issue.record("the request was passed to the service: \(actions)")
            return
        }
    }

    @Test func aReplyWithoutConnectionIsCounted() throws {
        var fixture = try Fixture(registers: true)
        let id = try #require(RequestID(rawValue: "x-1"))
        let reply = ClientCore.Input.reply(route: Data([0, 1]), id: id, json: Data(), contents: [])
        #expect(fixture.handle(reply) == ["count bus.repliesDropped"])
    }
}
