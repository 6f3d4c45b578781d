// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import Telemetry
import TestSupport
import Testing
import WidgetSchema

@Suite(.timeLimit(.minutes(3)))
struct RequestTests {
    /// A request of these tests; the answer says who gave it.
    private struct WhoRequest: RequestBody {
        static let name = "who"
        typealias Result = Who
    }

    private struct Who: Codable, Hashable, Sendable {
        var name: String
    }

    private static func serving(
        _ address: BusAddress,
        _ service: ServiceName,
        _ name: String
    ) throws -> BusConfiguration {
        var configuration = BusConfiguration(address: address, registration: try .of(service, name))
        configuration.retryInterval = .milliseconds(100)
        return configuration
    }

    /// Runs `body` beside a bus and the instance `one` of the cache.
    private static func withService(_ body: (BusAddress, BusClient) async throws -> Void) async throws {
        try await withBus { address in
            let configuration = try serving(address, .cache, "one")
            configuration.metrics.counter("cycles").increment(by: 7)
            try await withBusClient(configuration) { service in
                try await service.waitUntilReady()
                try await body(address, service)
            }
        }
    }

    /// Returns the configuration of a requester that repeats no request, even on a slow machine.
    private static func asking(_ address: BusAddress) -> BusConfiguration {
        var configuration = BusConfiguration(address: address)
        configuration.retryInterval = .seconds(600)
        return configuration
    }

    /// Answers each request with the service's name, until the client is closed.
    private static func answerAll(_ client: BusClient, as name: String) async {
        for await case .request(let request) in client.inputs { client.reply(to: request, result: Who(name: name)) }
    }

    /// Runs `body` while the named instances of `layout` answer.
    private static func withInstances(
        _ names: [String],
        _ address: BusAddress,
        _ body: @escaping @Sendable (BusClient) async throws -> Void
    ) async throws {
        guard let name = names.first else { return try await withBusClient(asking(address), body) }
        try await withBusClient(try serving(address, .layout, name)) { service in
            try await service.waitUntilReady()
            async let answering: Void = answerAll(service, as: name)
            try await withInstances(Array(names.dropFirst()), address, body)
            await service.closed()
            await answering
        }
    }

    private static func whoIsCache(
        _ requester: BusClient,
        deadline: Duration = .seconds(20)
    ) -> Task<(result: Who, contents: [Data]), any Error> {
        Task { try await requester.ask(RequestTarget(.cache), WhoRequest(), deadline: deadline) }
    }

    @Test func anInstanceAnswersItsHealthByItself() async throws {
        try await Self.withService { address, service in
            service.setHealth(.degraded, message: "the store is slow")
            try await withBusClient(BusConfiguration(address: address)) { requester in
                let answer = try await requester.ask(RequestTarget(.cache), HealthRequest(), deadline: .seconds(20))
                #expect(answer.result.service == .cache)
                #expect(answer.result.instance.rawValue == "one")
                #expect(answer.result.health.state == .degraded)
                #expect(answer.result.health.message == "the store is slow")
                #expect(answer.result.health.counters["cycles"] == 7)
            }
        }
    }

    @Test func instancesTakeTurnsAndCanBeNamed() async throws {
        try await withBus { address in
            try await Self.withInstances(["a", "b"], address) { requester in
                var names: [String] = []
                for _ in 0..<6 {
                    let answer = try await requester.ask(.init(.layout), WhoRequest(), deadline: .seconds(20))
                    names.append(answer.result.name)
                }
                #expect(names == ["a", "b", "a", "b", "a", "b"])
                let named = try #require(RequestTarget("layout/b"))
                for _ in 0..<3 {
                    #expect(try await requester.ask(named, WhoRequest(), deadline: .seconds(20)).result.name == "b")
                }
            }
        }
    }

    @Test func aRequestWaitsForItsService() async throws {
        try await withBus { address in
            try await withBusClient(BusConfiguration(address: address)) { requester in
                let id = requester.request(RequestTarget(.layout), WhoRequest(), deadline: .seconds(40))
                // The bus has said by now that nobody is there.
                _ = try await requester.busHealth()
                try await Self.withInstances(["late"], address) { _ in
                    let json = try await requester.first("the answer") { input in
                        if case .answer(id, let json, _) = input { json } else { nil }
                    }
                    #expect(try WireJSON.decode(Answer<Who>.self, from: json).get().name == "late")
                }
            }
        }
    }

    @Test func contentsAndErrorsComeBack() async throws {
        try await Self.withService { address, service in
            try await withBusClient(Self.asking(address)) { requester in
                let first = Self.whoIsCache(requester)
                let contents = [Data(), Data(count: 33), Data(count: 34), Data(count: MessageLimits.maximumFrame)]
                let request = try await service.nextRequest()
                let head = try request.head()
                #expect(head.request == "who" && head.deadlineMilliseconds == 20_000)
                service.reply(to: request, result: Who(name: "one"), contents: contents)
                #expect(try await first.value.contents == contents)

                let second = Self.whoIsCache(requester)
                service.reply(to: try await service.nextRequest(), error: RequestError(.notFound, "No such cat."))
                let error = await #expect(throws: RequestError.self) { try await second.value }
                #expect(error == RequestError(.notFound, "No such cat."))

                let third = Self.whoIsCache(requester)
                let tooLarge = [Data(count: MessageLimits.maximumFrame + 1)]
                service.reply(to: try await service.nextRequest(), result: Who(name: "one"), contents: tooLarge)
                let refusal = await #expect(throws: RequestError.self) { try await third.value }
                #expect(refusal?.code == .failed)
            }
        }
    }

    @Test func anAnswerForARequesterThatLeftDisturbsNobody() async throws {
        try await Self.withService { address, service in
            let request = try await withBusClient(BusConfiguration(address: address)) { requester in
                requester.request(RequestTarget(.cache), WhoRequest(), deadline: .seconds(40))
                return try await service.nextRequest()
            }
            // The bus may learn a moment later that the requester is gone; until then it keeps the answer for it.
            var late: Int64 = 0
            while late == 0 {
                service.reply(to: request, result: Who(name: "one"))
                late = try await service.busHealth().counters["bus.lateAnswers"] ?? 0
            }
        }
    }

    @Test func aServiceThatStopsIsUnregisteredAtOnce() async throws {
        try await withBus { address in
            try await withSubscription(to: [Topic.Prefix.health + "cache/"], at: address) { messages in
                try await withBusClient(try Self.serving(address, .cache, "one")) { try await $0.waitUntilReady() }
                var states: [Health.State] = []
                for await case .message(let message) in messages {
                    states.append(try WireJSON.decode(Event<Health>.self, from: message.frames[0]).data.state)
                    if states.last == .stopping { break }
                }
                #expect(states.last == .stopping)
                try await withBusClient(BusConfiguration(address: address)) { requester in
                    let error = await #expect(throws: RequestError.self) {
                        // Far beyond the test's own limit: only an answer ends it.
                        let (target, deadline) = (RequestTarget(.cache), Duration.seconds(600))
                        _ = try await requester.ask(target, WhoRequest(), deadline: deadline, waitsForService: false)
                    }
                    #expect(error?.code == .unavailable)
                }
            }
        }
    }

    @Test func aCancelledTaskWaitsNoLonger() async throws {
        try await withBus { address in
            try await withBusClient(BusConfiguration(address: address)) { requester in
                let asking = Self.whoIsCache(requester, deadline: .seconds(600))
                asking.cancel()
                await #expect(throws: CancellationError.self) { try await asking.value }
            }
        }
    }

    @Test func closingEndsWhatIsAwaited() async throws {
        try await withBus { address in
            try await withBusClient(BusConfiguration(address: address)) { requester in
                let asking = Self.whoIsCache(requester, deadline: .seconds(600))
                await requester.closed()
                await #expect(throws: RequestError.self) { try await asking.value }
                requester.post("after the end")
                let inputs = requester.inputs.makeAsyncIterator()
                guard case .stopped(nil) = await inputs.next() else { throw DidNotArrive("the end") }
                #expect(await inputs.next() == nil)
            }
        }
    }
}

extension BusConfiguration.Registration {
    /// Returns the registration of an instance of a service.
    static func of(_ service: ServiceName, _ name: String) throws -> Self {
        let instance = try #require(InstanceName(rawValue: name))
        return Self(service: service, instance: instance, version: "1", startedAt: Instant(milliseconds: 0))
    }
}
