// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import OriginSupport
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// A running system whose widgets change all the time, on a store of its own, with an independent reader beside it.
struct StoreScene {
    static let widgets = (0..<3).map { "w\($0)" }

    let system: RunningSystem
    let reader: IndependentReader
    let disk: FaultyDisk
    let folder: URL
    /// A Boolean value that indicates whether the store is on a PostgreSQL server.
    let isOnServer: Bool

    /// Runs `body` once every widget has been updated some times; the disk can fail below `store`.
    ///
    /// `address` is that of a database on a server, which takes the place of the folder. With `standbys`, `cache-b` and
    /// `notifier-b` wait beside `cache` and `notifier`.
    static func with(
        below store: String = "cache",
        address: String? = nil,
        standbys: Bool = false,
        _ body: (StoreScene) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = FaultyDisk(below: store, in: folder)
        let environment = (address.map { ["TIDINGS_STORE": $0] } ?? disk.environment)
            .merging(standbys ? ["TIDINGS_STANDBY": "1"] : [:]) { _, own in own }
        try await withScriptedOrigin { origin in
            let sources = origin.serveChanging(widgets)
            try await RunningSystem.with(sources, environment: environment) { system in
                for service in standbys ? ["cache", "notifier"] : [] {
                    let line = try await system.start(service, as: "\(service)-b")
                    #expect(line.values["role"] == "standby")
                }
                try await IndependentReader.with(system.address) { reader in
                    let scene = StoreScene(
                        system: system,
                        reader: reader,
                        disk: disk,
                        folder: folder,
                        isOnServer: address != nil
                    )
                    try await scene.goOn("the start")
                    try await body(scene)
                }
            }
        }
    }

    /// Waits until every widget has been updated some more times.
    func goOn(_ what: String) async throws {
        try await reader.goOn(Self.widgets, by: 3, "after \(what)")
    }

    /// Waits until every widget has an update of that cause beyond those of a record.
    func goOn(after before: IndependentReader.Record, with cause: String) async throws {
        try await reader.read("a cycle of cause \(cause) of every widget") { record in
            Self.widgets.allSatisfy { widget in
                record.updates.dropFirst(before.updates.count).contains { $0.widget == widget && $0.cause == cause }
            }
        }
    }

    /// Suspends an owner of a store in SQLite outside of its transactions.
    ///
    /// A process that is suspended within a transaction holds the lock of the file, so nobody can take the store over.
    func freezeBetweenTransactions(_ service: String) async throws {
        try await FaultyDisk(below: service, in: folder).failing(.locked) { try system.freeze(service) }
    }

    /// Checks that the reader received every sequence number once and in order.
    ///
    /// Each update covers one number, except updates whose range begins at 1. On a server, some updates also cover the
    /// 48 numbers of three other timelines.
    func expectThatNothingIsLost() {
        let record = reader.record
        #expect(record.faults == [])
        let skipped: [UInt64] = isOnServer ? [0, 48] : [0]
        #expect(record.updates.allSatisfy { skipped.contains($0.sequence - $0.first) || $0.first == 1 })
    }

    /// Checks that the numbers of each widget's updates only rose.
    func expectNoNumberTwice() {
        for widget in Self.widgets {
            let numbers = reader.record.updates.filter { $0.widget == widget }.map(\.sequence)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    /// Makes a backup of both stores; returns its path.
    func backup() async throws -> String {
        let backup = folder.appending(path: "backup.tar").path
        try await system.tidings(["backup", backup])
        return backup
    }

    /// Runs `body` with what the bus says of a service's health.
    func withHealth(of service: String, _ body: (BusClient) async throws -> Void) async throws {
        let configuration = BusConfiguration(address: system.address, subscriptions: ["health/\(service)/"])
        try await withBusClient(configuration) { client in
            try await client.waitUntilReady()
            try await body(client)
        }
    }

    /// Waits until an instance is in a state, and returns the message of its health.
    static func wait(for state: Health.State, _ client: BusClient) async throws -> String {
        try await client.health("health \(state)") { health, _ in health.state == state ? health.message ?? "" : nil }
    }

    /// Returns the number of widgets in a service's snapshot; throws if no answer arrives within two seconds.
    func widgetsServed(by service: String) async throws -> Int {
        if service == ServiceName.cache.rawValue {
            let request = SnapshotRequest<Refreshed>()
            return try await system.ask(.cache, request, within: .seconds(2)).result.records.count
        }
        return try await system.ask(.notifier, SnapshotRequest<Update>(), within: .seconds(2)).result.records.count
    }
}
