// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// A client with two buses, and a clock that the test moves.
@Suite struct ClientGroupCoreTests {
    private var core: ClientGroupCore
    private var now = ContinuousClock.now

    init() throws {
        let addresses = try BusAddresses("tcp://a:1,tcp://b:1")
        let configuration = BusConfiguration(addresses: addresses, registration: try .one(.layout), nonce: "n")
        core = ClientGroupCore(configuration, now: now)
    }

    /// Handles an input; heartbeats are left out of the result.
    private mutating func handle(_ input: ClientGroupCore.Input) -> [String] {
        core.handle(input, now: now).map(Self.describe).filter { !$0.contains("heartbeat") }
    }

    private static func describe(_ action: ClientGroupCore.Action) -> String {
        switch action {
        case .one(let bus, .send(let frames)):
            "\(bus): " + frames.prefix(2).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        case .count(let name): "count \(name)"
        case .deliver(.ready): "ready"
        case .deliver(.resubscribed): "resubscribed"
        case .deliver(.publisherConnected(let again)): again ? "connected again" : "connected"
        case .deliver(.answer(let id, let json, _)): "answer \(id) \(String(decoding: json, as: UTF8.self))"
        case .deliver(.requestFailed(let id, let error)): "failed \(id) \(error.code)"
        case .deliver(.request(let request)): "request \(request.id)"
        default: "\(action)"
        }
    }

    private mutating func connectBoth() {
        for bus in 0...1 { _ = handle(.one(bus, .connected)) }
    }

    private mutating func advance(_ milliseconds: Int) -> [String] {
        now += .milliseconds(milliseconds)
        return handle(.all(.tick))
    }

    private mutating func ask(_ id: String, milliseconds: Int = 10_000, waits: Bool = true) throws -> [String] {
        let request = OutgoingRequest(
            id: try #require(RequestID(rawValue: id)),
            target: RequestTarget(.cache),
            json: Data("{}".utf8),
            now: now,
            timeout: .milliseconds(milliseconds),
            waitsForService: waits
        )
        return handle(.all(.ask(request)))
    }

    private mutating func answer(_ id: String, _ json: String = #"{"result":1}"#, from bus: Int) -> [String] {
        handle(.one(bus, .received([Data(id.utf8), Data(json.utf8)])))
    }

    private func error(_ code: String) -> String { #"{"error":{"code":"\#(code)","message":"m"}}"# }

    @Test mutating func aRequestGoesToOneBusAndAfterAPauseToTheOther() throws {
        connectBoth()
        #expect(try ask("r") == ["0: cache r"])
        #expect(core.nextDue == now + .milliseconds(300))
        #expect(advance(299) == [])
        #expect(advance(1) == ["count bus.requestsMoved", "1: cache r"])
        #expect(answer("r", from: 1) == [#"answer r {"result":1}"#])
    }

    @Test mutating func theFirstAnswerCountsAndTheSecondIsDropped() throws {
        connectBoth()
        _ = try ask("r")
        _ = advance(300)
        #expect(answer("r", from: 0) == [#"answer r {"result":1}"#])
        #expect(answer("r", from: 1) == ["count bus.lateAnswers"])
        #expect(advance(20_000) == [])
    }

    @Test mutating func theNextRequestGoesToTheBusThatAnswered() throws {
        connectBoth()
        _ = try ask("r")
        _ = advance(300)
        _ = answer("r", from: 1)
        #expect(try ask("s") == ["1: cache s"])
    }

    @Test mutating func aBusWithoutConnectionIsNotAskedWhileAnotherHasOne() throws {
        _ = handle(.one(1, .connected))
        #expect(try ask("r") == ["1: cache r"])
    }

    @Test mutating func withoutAnyConnectionTheFirstBusThatComesGetsTheRequest() throws {
        #expect(try ask("r") == [])
        #expect(handle(.one(1, .connected)) == ["1: cache r"])
        #expect(answer("r", from: 1) == [#"answer r {"result":1}"#])
        #expect(handle(.one(0, .connected)) == [])
    }

    @Test mutating func aLostConnectionMovesItsRequestsAtOnce() throws {
        connectBoth()
        _ = try ask("r")
        #expect(handle(.one(0, .disconnected)) == ["count bus.requestsMoved", "1: cache r"])
    }

    @Test mutating func theErrorOfAServiceIsItsAnswer() throws {
        connectBoth()
        _ = try ask("r")
        #expect(answer("r", error("refused"), from: 0) == ["failed r refused"])
        #expect(advance(300) == [])
    }

    @Test mutating func aServiceThatOneBusDoesNotKnowIsAskedAtTheOther() throws {
        connectBoth()
        _ = try ask("r", waits: false)
        #expect(answer("r", error("unavailable"), from: 0) == ["count bus.requestsMoved", "1: cache r"])
        #expect(answer("r", error("unavailable"), from: 1) == ["failed r unavailable"])
    }

    @Test mutating func theDeadlineIsReportedOnce() throws {
        connectBoth()
        _ = try ask("r", milliseconds: 500)
        _ = advance(300)
        #expect(advance(200) == ["failed r timedOut"])
        #expect(advance(10_000) == [])
    }

    @Test mutating func aDeadlineBeforeTheMoveIsReportedOnce() throws {
        connectBoth()
        _ = try ask("r", milliseconds: 100)
        #expect(advance(100) == ["failed r timedOut"])
        #expect(advance(10_000) == [])
    }

    @Test mutating func aForgottenRequestIsSentNoMore() throws {
        connectBoth()
        _ = try ask("r")
        _ = handle(.all(.forget(try #require(RequestID(rawValue: "r")))))
        #expect(advance(300) == [])
        #expect(advance(5000) == [])
    }

    @Test mutating func anAnswerGoesBackToTheBusOfItsRequest() throws {
        connectBoth()
        let frames = [Data([BusFrames.routeMark, 7]), Data("q".utf8), Data(#"{"request":"x"}"#.utf8), Data()]
        var request: IncomingRequest?
        for case .deliver(.request(let found)) in core.handle(.one(1, .received(frames)), now: now) { request = found }
        #expect(request?.bus == 1)
        let reply = ClientCore.Input.reply(route: frames[0], id: try #require(request?.id), json: Data(), contents: [])
        #expect(handle(.one(try #require(request?.bus), reply)).allSatisfy { $0.hasPrefix("1: ~answer") })
    }

    @Test mutating func oneBusIsEnoughToBeReadyAfterAWhile() {
        _ = handle(.one(0, .connected))
        #expect(answer("n-heartbeat-1", from: 0) == [])
        #expect(advance(999) == [])
        #expect(advance(1) == ["ready"])
        _ = handle(.one(1, .connected))
        #expect(answer("n-heartbeat-1", from: 1) == [])
    }

    @Test mutating func withBothBusesItIsReadyAtOnce() {
        connectBoth()
        #expect(answer("n-heartbeat-1", from: 1) == [])
        #expect(answer("n-heartbeat-1", from: 0) == ["ready"])
        #expect(advance(2000) == [])
    }

    @Test mutating func aBusThatComesAfterReadinessCountsAsAnInterruption() throws {
        let configuration = BusConfiguration(
            addresses: try BusAddresses("tcp://a:1,tcp://b:1"),
            subscriptions: ["update/"],
            publishes: true,
            nonce: "n"
        )
        core = ClientGroupCore(configuration, now: now)
        #expect(handle(.one(0, .publisherSubscribed)) == ["connected"])
        #expect(handle(.one(0, .echoed)) == [])
        #expect(advance(1000) == ["ready"])
        #expect(handle(.one(1, .publisherSubscribed)) == ["connected again"])
        #expect(handle(.one(1, .echoed)) == ["resubscribed"])
    }

    @Test mutating func nothingIsPublishedAtABusThatIsAwayWhileTheOtherIsThere() {
        #expect(core.publishes(at: 0) && core.publishes(at: 1))
        connectBoth()
        _ = handle(.one(0, .disconnected))
        #expect(!core.publishes(at: 0))
        #expect(core.publishes(at: 1))
        _ = handle(.one(1, .disconnected))
        #expect(core.publishes(at: 0) && core.publishes(at: 1))
    }

    @Test mutating func aBusGetsMessagesAsSoonAsThePublisherOrTheRequestsAreConnected() {
        connectBoth()
        for bus in 0...1 { _ = handle(.one(bus, .publisherSubscribed)) }
        _ = handle(.one(1, .disconnected))
        _ = handle(.one(1, .publisherDisconnected))
        #expect(!core.publishes(at: 1))
        // The sockets of a client connect to a new bus one after the other, in any order.
        _ = handle(.one(1, .publisherSubscribed))
        #expect(core.publishes(at: 0) && core.publishes(at: 1))
        _ = handle(.one(1, .publisherDisconnected))
        #expect(!core.publishes(at: 1))
        _ = handle(.one(1, .connected))
        #expect(core.publishes(at: 1))
    }

    @Test mutating func theOnlyConnectedPublisherGetsMessages() {
        _ = handle(.one(1, .publisherSubscribed))
        #expect(!core.publishes(at: 0))
        #expect(core.publishes(at: 1))
    }
}
