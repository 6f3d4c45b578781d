// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// The executable `notifier` on a real bus; the test plays layout, cache and subscriber.
@Suite(.timeLimit(.minutes(3)))
struct NotifierServiceTests {
    /// Runs `body` with the environment of a notifier and a client that plays everybody else.
    private func withNeighbours(_ body: ([String: String], BusClient) async throws -> Void) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withBus { address in
            var configuration = BusConfiguration(address: address)
            configuration.publishes = true
            configuration.subscriptions = [Topic.Prefix.update]
            configuration.registration = try .one(.layout)
            try await withBusClient(configuration) { client in
                try await client.waitUntilReady()
                try await body(["TIDINGS_BUS": "\(address)", "TIDINGS_STORE": folder.path], client)
            }
        }
    }

    private func publish(_ sequence: UInt64, _ shown: String, of widget: WidgetID, by client: BusClient) throws {
        let event = try LaidOut.showing(["compact": shown]).event(try range(sequence, sequence), of: widget)
        client.publish(.laidOut(widget), [try WireJSON.encode(event)])
    }

    private func nextUpdate(_ client: BusClient) async throws -> (topic: Topic, bytes: Data, event: Event<Update>) {
        try await client.first("an update") { input in
            guard case .message(let topic, let frames) = input, let bytes = frames.first else { return nil }
            return (topic, bytes, try WireJSON.decode(Event<Update>.self, from: bytes))
        }
    }

    private func stop(_ notifier: SpawnedService) async throws {
        notifier.signal(SIGTERM)
        #expect(try await notifier.exitStatus(within: .seconds(10)) == 0, "\(notifier.standardError)")
    }

    @Test func cyclesBecomeUpdatesAndWhatIsLostIsReplayed() async throws {
        try await withNeighbours { environment, client in
            let notifier = try SpawnedService("notifier", environment: environment)
            _ = try await notifier.readiness()
            client.publish(.laidOut(blog), [Data("{ nothing of use".utf8)])
            try publish(1, "a", of: blog, by: client)
            let first = try await nextUpdate(client)
            #expect(first.topic == .update(.newData, blog))
            #expect(first.event.data.reason == .firstContent)

            try publish(3, "b", of: blog, by: client)
            let request = try await client.first("a replay's request") { input in
                if case .request(let request) = input { request } else { nil }
            }
            #expect(try request.decode(ReplayRequest<LaidOut>.self).body.from == [blog: 2])
            let missing = try [(2, "a"), (3, "b")].map { sequence, shown in
                try LaidOut.showing(["compact": shown], outcome: .sameContent)
                    .event(try range(UInt64(sequence), UInt64(sequence)), of: blog)
            }
            client.reply(to: request, result: Records(records: missing, more: false))
            let second = try await nextUpdate(client)
            #expect(second.topic == .update(.noData, blog) && second.event.range?.sequence == 2)
            let third = try await nextUpdate(client)
            #expect(third.topic == .update(.newData, blog) && third.event.data.previousNewData == 1)
            try await stop(notifier)
        }
    }

    @Test func afterAKillTheLastUpdateComesAgainByteForByte() async throws {
        try await withNeighbours { environment, client in
            let first = try SpawnedService("notifier", environment: environment)
            _ = try await first.readiness()
            try publish(1, "a", of: blog, by: client)
            try publish(2, "b", of: blog, by: client)
            _ = try await nextUpdate(client)
            let last = try await nextUpdate(client)
            first.signal(SIGKILL)
            #expect(try await first.exitStatus() == -SIGKILL)

            let second = try SpawnedService("notifier", environment: environment)
            let again = try await nextUpdate(client)
            #expect(again.bytes == last.bytes && again.topic == last.topic)
            _ = try await second.readiness()
            try publish(2, "b", of: blog, by: client)
            try publish(3, "b", of: blog, by: client)
            let next = try await nextUpdate(client)
            #expect(next.event.range?.sequence == 3 && next.event.data.result == .noData)

            let request = SnapshotRequest<Update>()
            let snapshot = try await client.ask(RequestTarget(.notifier), request, deadline: .seconds(10)).result
            #expect(snapshot.records == [next.event] && !snapshot.more)
            #expect(snapshot.end == next.event.offset)
            let replay = ReplayRequest<Update>(from: [blog: 1])
            let records = try await client.ask(RequestTarget(.notifier), replay, deadline: .seconds(10)).result
            #expect(records.records.map(\.range?.sequence) == [1, 2, 3])
            try await stop(second)
        }
    }

    @Test func aSecondNotifierOnTheSameStoreEndsTheFirst() async throws {
        try await withNeighbours { environment, client in
            let first = try SpawnedService("notifier", environment: environment)
            _ = try await first.readiness()
            let second = try SpawnedService("notifier", environment: environment)
            _ = try await second.readiness()
            #expect(try await first.exitStatus() == 1)
            try publish(1, "a", of: blog, by: client)
            #expect(try await nextUpdate(client).event.range?.sequence == 1)
            try await stop(second)
        }
    }
}
