// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import MessageBus
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Delivery

/// The executable `delivery` on a real bus; the test plays the notifier, the destination and the command line.
@Suite(.timeLimit(.minutes(3))) struct DeliveryServiceTests {
    private static let canary = "whsec_Y2FuYXJ5LWNhbmFyeS1jYW5hcnktY2FuYXJ5"

    /// The notifier that the test plays; it answers requests until its client closes.
    final class Notifier: Sendable {
        let client: BusClient
        private let model = Lock(NotifierModel())

        init(_ client: BusClient) { self.client = client }

        func publish(_ name: String, _ text: String, result: UpdateResult = .newData) throws {
            let event = try model.withLock {
                let reason: Reason = result == .newData ? .visibleChange : .sameRows
                return try $0.add(name, text, result: result, reason: reason, at: at(0))
            }
            client.publish(.update(result, try widget(name)), [try WireJSON.encode(event)])
        }

        func add(_ name: String, _ text: String) throws {
            _ = try model.withLock { try $0.add(name, text, result: .newData, reason: .visibleChange, at: at(0)) }
        }

        func answerRequests() async {
            for await input in client.inputs {
                guard case .request(let request) = input, let head = try? request.head() else { continue }
                let model = model.withLock(\.self)
                switch head.request {
                case SnapshotRequest<Update>.name: client.reply(to: request, result: model.snapshot)
                default:
                    if let body = try? request.decode(UpdatesRequest.self).body {
                        client.reply(to: request, result: model.updates(since: body.since))
                    }
                }
            }
        }
    }

    /// Runs `body` with a bus, a notifier, a receiver of webhooks, the environment of the executable, and the file of its
    /// configuration.
    func withDelivery(
        _ destinations: @escaping (_ address: String) -> String,
        _ body: (Notifier, Receiver, [String: String], URL) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await withReceiver { receiver, address in
                try await withBus { bus in
                    let file = folder.appending(path: "tidings.yml")
                    try Data("store: data\n\(destinations(address))".utf8).write(to: file)
                    var configuration = BusConfiguration(address: bus)
                    configuration.publishes = true
                    configuration.registration = try .one(.notifier)
                    try await withBusClient(configuration) { client in
                        try await client.waitUntilReady()
                        let notifier = Notifier(client)
                        try notifier.add("news", "before")
                        let answering = Task { await notifier.answerRequests() }
                        defer { answering.cancel() }
                        let environment = [
                            "TIDINGS_BUS": "\(bus)", "TIDINGS_CONFIG": file.path, "HOOK_SECRET": Self.canary,
                        ]
                        try await body(notifier, receiver, environment, file)
                    }
                }
            }
        }
    }

    private func hook(_ address: String, more: String = "") -> String {
        """
        destinations:
          hook: {kind: webhook, url: "\(address)/hook", secret: "${HOOK_SECRET}", allowPrivateNetworks: true\(more)}

        """
    }

    func stop(_ delivery: SpawnedService) async throws {
        delivery.signal(SIGTERM)
        #expect(try await delivery.exitStatus(within: .seconds(10)) == 0, "\(delivery.standardError)")
        #expect(!delivery.standardError.contains(Self.canary))
    }

    /// Asks the service until it has caught up, and returns its report.
    private func report(_ environment: [String: String], where isGood: (DestinationReport) -> Bool) async throws {
        let address = try BusAddress(environment["TIDINGS_BUS"] ?? "")
        try await withBusClient(BusConfiguration(address: address)) { client in
            let end = ContinuousClock.now + .seconds(30)
            while true {
                let answer = try await client.ask(RequestTarget(.delivery), DeliveriesRequest(), deadline: .seconds(10))
                if let one = answer.result.destinations.first, isGood(one) { return }
                guard ContinuousClock.now < end else { throw DidNotArrive("a report; the last one: \(answer.result)") }
            }
        }
    }

    @Test func aChangeArrivesOnceSignedAndACycleWithoutChangeDoesNot() async throws {
        try await withDelivery {
            hook($0)
        } _: { notifier, receiver, environment, _ in
            let delivery = try SpawnedService("delivery", environment: environment)
            _ = try await delivery.readiness()
            try notifier.publish("news", "a")
            await receiver.wait(for: 1)
            try notifier.publish("news", "a", result: .noData)
            try notifier.publish("news", "b")
            await receiver.wait(for: 2)
            try await report(environment) { $0.delivered == 2 && $0.savedByNoData == 1 }
            let events = try receiver.requests.map { try WireJSON.decode(Event<Update>.self, from: $0.body) }
            #expect(events.map(\.data.summary) == ["a", "b"])
            #expect(receiver.requests.allSatisfy { $0.headers["webhook-signature"]?.hasPrefix("v1,") == true })
            try await stop(delivery)
        }
    }

    @Test func afterAKillTheMessageThatWaitsArrivesUnderItsId() async throws {
        try await withDelivery {
            hook($0)
        } _: { notifier, receiver, environment, _ in
            receiver.answer(with: [(500, [:])])
            let first = try SpawnedService("delivery", environment: environment)
            _ = try await first.readiness()
            try notifier.publish("news", "a")
            await receiver.wait(for: 1)
            try await report(environment) { $0.subjects.first?.state == .retrying }
            first.signal(SIGKILL)
            _ = try await first.exitStatus()
            let second = try SpawnedService("delivery", environment: environment)
            await receiver.wait(for: 2)
            #expect(Set(receiver.requests.compactMap { $0.headers["webhook-id"] }).count == 1)
            #expect(Set(receiver.requests.map(\.body)).count == 1)
            try await stop(second)
        }
    }

    @Test func aNewDestinationIsUsedWithoutARestartAndATestReachesIt() async throws {
        try await withDelivery {
            hook($0)
        } _: { notifier, receiver, environment, file in
            let delivery = try SpawnedService("delivery", environment: environment)
            _ = try await delivery.readiness()
            try notifier.publish("news", "a")
            await receiver.wait(for: 1)
            let text = try String(contentsOf: file, encoding: .utf8).replacing("/hook", with: "/other")
                .replacing("  hook:", with: "  other:")
            try Data(text.utf8).write(to: file)
            _ = try await delivery.errorLine(containing: "Reloaded the configuration.")
            try notifier.publish("news", "b")
            await receiver.wait(for: 2)
            #expect(receiver.requests.map(\.path) == ["/hook", "/other"])

            let update = try WireJSON.decode(Event<Update>.self, from: receiver.requests[1].body)
            let address = try BusAddress(environment["TIDINGS_BUS"] ?? "")
            try await withBusClient(BusConfiguration(address: address)) { client in
                func test(_ name: String) async throws -> DeliverTestAnswer {
                    let request = DeliverTestRequest(destination: try destination(name), update: update)
                    return try await client.ask(RequestTarget(.delivery), request, deadline: .seconds(20)).result
                }
                let accepted = try await test("other")
                #expect(accepted.isDelivered)
                receiver.answer(with: [(503, [:])])
                let refused = try await test("other")
                #expect(refused.reason == "The server answered 503.")
                await #expect(throws: RequestError.self) { try await test("hook") }
            }
            try await stop(delivery)
        }
    }

    @Test func theCheckSaysWhichDestinationsCanBeReached() async throws {
        try await withDelivery {
            hook($0) + "  dead: {kind: webhook, url: \"http://127.0.0.1:1/\", allowPrivateNetworks: true}\n"
        } _: { _, _, environment, _ in
            let check = try SpawnedService("delivery", ["--check-destinations"], environment: environment)
            #expect(try await check.nextLine()?.hasPrefix("failed  dead: The server did not answer") == true)
            #expect(try await check.nextLine() == "ok      hook")
            #expect(try await check.exitStatus() == 1)
        }
    }
}

extension NotifierModel {
    var snapshot: Records<Update> {
        var last: [WidgetID: Event<Update>] = [:]
        for event in events { if let widget = event.widget { last[widget] = event } }
        return Records(records: Array(last.values), more: false, end: heads.end)
    }

    func updates(since: StreamOffset) -> Records<Update> {
        let records = events.filter { ($0.offset?.number ?? 0) > since.number }
        return Records(records: records, more: false, end: heads.end)
    }
}
