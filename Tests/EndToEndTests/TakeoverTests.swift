// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// Two processes on one store: whoever opened it last owns it, and the other ends without another word.
@Suite(.serialized, .timeLimit(.minutes(3))) struct TakeoverTests {
    /// The messages published under each topic and sequence number.
    ///
    /// A message that differs from an earlier one with the same topic and sequence number is a fault.
    private final class Published: Sendable {
        private struct State {
            var bytes: [String: Data] = [:]
            var faults: [String] = []
        }

        private let state = Lock(State())

        var faults: [String] { state.withLock(\.faults) }
        var count: Int { state.withLock { $0.bytes.count } }

        func note(_ input: BusInput) {
            guard case .message(let topic, let frames) = input, let json = frames.first,
                let event = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
                let sequence = event["sequence"] as? String
            else { return }
            let key = "\(topic.text) \(sequence)"
            state.withLock { state in
                if let before = state.bytes.updateValue(json, forKey: key), before != json {
                    state.faults.append("\(key) came with other bytes than before")
                }
            }
        }
    }

    @Test(arguments: ["cache", "notifier"], [false, true])
    func theOlderOfTwoThatRunEndsAtOnce(_ service: String, _ isOnServer: Bool) async throws {
        let address = isOnServer ? try PostgreSQLServer.running().makeDatabase() : nil
        try await StoreScene.with(address: address) { scene in
            try await scene.system.start(service, as: "second")
            try await scene.system.expectTakenOver(service)
            try await scene.goOn("the takeover")
            scene.expectThatNothingIsLost()
        }
    }

    /// Checks that a process that was frozen during a takeover neither publishes nor replies afterwards.
    @Test(arguments: ["cache", "notifier"])
    func whoSleptThroughATakeoverSaysNothingAnyMore(_ service: String) async throws {
        try await StoreScene.with { scene in
            let prefix = service == "cache" ? "refreshed/" : "update/"
            let configuration = BusConfiguration(address: scene.system.address, subscriptions: [prefix])
            try await withBusClient(configuration) { client in
                let published = Published()
                let listening = Task { for await input in client.inputs { published.note(input) } }
                defer { listening.cancel() }
                try await scene.goOn("the subscription")
                try await scene.freezeBetweenTransactions(service)
                let instance = try #require(InstanceName(rawValue: service))
                let address = scene.system.address
                let answer = Task { try await Self.isAnswered(by: service, instance, address) }
                defer { answer.cancel() }
                try await scene.system.start(service, as: "second")
                try await scene.goOn("the takeover")
                try scene.system.signal(SIGCONT, to: service)
                try await scene.system.expectTakenOver(service)
                try await scene.goOn("the end of the older")
                // Whoever has ended answers nobody any more.
                answer.cancel()
                #expect(try await answer.value == false)
                #expect(published.count > StoreScene.widgets.count)
                #expect(published.faults == [])
            }
            scene.expectThatNothingIsLost()
        }
    }

    /// Returns whether an instance answers a request that was sent while it was frozen.
    private static func isAnswered(by service: String, _ instance: InstanceName, _ address: BusAddress) async throws
        -> Bool
    {
        try await withBusClient(BusConfiguration(address: address)) { client in
            do {
                if service == "cache" {
                    let target = RequestTarget(.cache, instance: instance)
                    _ = try await client.ask(target, SnapshotRequest<Refreshed>(), deadline: .seconds(20))
                } else {
                    let target = RequestTarget(.notifier, instance: instance)
                    _ = try await client.ask(target, SnapshotRequest<Update>(), deadline: .seconds(20))
                }
                return true
            } catch is RequestError {
                return false
            } catch is CancellationError {
                return false
            }
        }
    }

    /// Checks that a running service ends if its store is moved away, and does not continue to write to it.
    @Test(arguments: ["cache", "notifier"])
    func whoseStoreIsMovedAwayEnds(_ service: String) async throws {
        try await StoreScene.with(below: service) { scene in
            for suffix in ["", "-wal", "-shm"] {
                let path = scene.disk.store.path + suffix
                try FileManager.default.moveItem(atPath: path, toPath: scene.folder.path + "/moved" + suffix)
            }
            let end = try await scene.system.end(of: service)
            #expect(end.status == 1)
            #expect(end.log.contains("\(scene.disk.store.path) was replaced or removed"), "\(end.log)")
            for suffix in ["", "-wal"] {
                let path = scene.folder.path + "/moved" + suffix
                guard FileManager.default.fileExists(atPath: path) else { continue }
                try FileManager.default.moveItem(atPath: path, toPath: scene.disk.store.path + suffix)
            }
            try await scene.system.start(service)
            try await scene.goOn("the return of the store")
            scene.expectThatNothingIsLost()
        }
    }
}
