// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// Tests of a cache and a notifier with a standby each: verdicts continue when an owner dies, is frozen or stops.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StandbyTests {
    /// Waits until an instance says that it has this role.
    private func wait(for role: Health.Role, of instance: String, _ client: BusClient) async throws -> Health {
        try await client.health("\(instance) is \(role)") { health, name in
            name == instance && health.isLive && health.role == role ? health : nil
        }
    }

    private func database(_ isOnServer: Bool) throws -> String? {
        isOnServer ? try PostgreSQLServer.running().makeDatabase() : nil
    }

    /// Services, and Boolean values that indicate whether the store is on a server; all combinations in `make nightly`.
    private static let owners: [(String, Bool)] = [
        ("cache", true), ("notifier", false), ("cache", false), ("notifier", true),
    ]

    @Test(arguments: owners.prefix(TestExtent.of(2, nightly: 4)))
    func aStandbyTakesOverFromAnOwnerThatWasKilled(_ service: String, _ isOnServer: Bool) async throws {
        try await StoreScene.with(address: try database(isOnServer), standbys: true) { scene in
            try await scene.withHealth(of: service) { health in
                let first = try await wait(for: .active, of: service, health)
                let killed = ContinuousClock.now
                try await scene.system.kill(service)
                let second = try await wait(for: .active, of: "\(service)-b", health)
                let seconds = (ContinuousClock.now - killed) / .seconds(1)
                print("standby: \(service)-b is active \(seconds) s after the kill")
                #expect(try #require(second.term) > #require(first.term))
                try await scene.goOn("the kill")
                // The killed one comes back as the standby.
                let line = try await scene.system.start(service)
                #expect(line.values["role"] == "standby")
                try await scene.goOn("the return")
                #expect(!scene.system.log(of: "\(service)-b").contains("NOTICE:"), "libpq writes into the log")
                #expect(try await wait(for: .active, of: "\(service)-b", health).term == second.term)
            }
            scene.expectThatNothingIsLost()
        }
    }

    @Test(arguments: ["cache", "notifier"])
    func anOwnerThatWakesAfterATakeoverWritesNothingAndEnds(_ service: String) async throws {
        try await StoreScene.with(standbys: true) { scene in
            try await scene.withHealth(of: service) { health in
                try await scene.freezeBetweenTransactions(service)
                _ = try await wait(for: .active, of: "\(service)-b", health)
                try await scene.goOn("the takeover")
                try scene.system.signal(SIGCONT, to: service)
                try await scene.system.expectTakenOver(service)
            }
            try await scene.goOn("the end of the older")
            scene.expectThatNothingIsLost()
        }
    }

    // The owner is frozen between two statements of a transaction, so that it holds the lock of its row.
    @Test func aStandbyTakesOverFromAnOwnerThatIsFrozenWithinATransaction() async throws {
        let server = try PostgreSQLServer.running()
        let address = try server.makeDatabase()
        let name = try #require(address.split(separator: "/").last.map(String.init))
        try await StoreScene.with(address: address, standbys: true) { scene in
            try await scene.withHealth(of: "cache") { health in
                let first = try await wait(for: .active, of: "cache", health)
                // If the COMMIT was already sent, the server executes it: the next transaction is tried.
                repeat {
                    try scene.system.signal(SIGCONT, to: "cache")
                    try server.withLock(on: "cycles", in: name, against: "tidings-cache") {
                        try scene.system.freeze("cache")
                    }
                } while try !server.isWithinTransaction("tidings-cache", in: name)
                let frozen = ContinuousClock.now
                let second = try await wait(for: .active, of: "cache-b", health)
                print("standby: cache-b is active \((ContinuousClock.now - frozen) / .seconds(1)) s after the freeze")
                #expect(try #require(second.term) > #require(first.term))
                try await scene.system.wait(for: "A database session that held the lock", inLogOf: "cache-b")
                try await scene.goOn("the takeover")
                try scene.system.signal(SIGCONT, to: "cache")
                try await scene.system.expectTakenOver("cache")
            }
            try await scene.goOn("the end of the older")
            scene.expectThatNothingIsLost()
        }
    }

    @Test(arguments: ["cache", "notifier"])
    func anActiveStandbyThatIsStoppedAtOnceEndsInOrder(_ service: String) async throws {
        try await StoreScene.with(standbys: true) { scene in
            try await scene.withHealth(of: service) { health in
                try await scene.system.kill(service)
                _ = try await wait(for: .active, of: "\(service)-b", health)
                try await scene.system.stop("\(service)-b")
            }
            try await scene.system.start(service)
            try await scene.goOn("the return")
            scene.expectThatNothingIsLost()
        }
    }

    @Test(arguments: ["cache", "notifier"])
    func anOwnerThatStopsInOrderIsSucceededBeforeItsLeaseEnds(_ service: String) async throws {
        try await StoreScene.with(standbys: true) { scene in
            try await scene.withHealth(of: service) { health in
                let stopped = ContinuousClock.now
                try await scene.system.stop(service)
                _ = try await wait(for: .active, of: "\(service)-b", health)
                // The default lease of 3 s, of which nothing was waited for.
                #expect(ContinuousClock.now - stopped < .seconds(3))
            }
            try await scene.goOn("the stop")
            scene.expectThatNothingIsLost()
        }
    }

    @Test func requestsReachTheActiveInstanceAlone() async throws {
        try await StoreScene.with(standbys: true) { scene in
            for service in ["cache", "notifier"] {
                for _ in 1...6 { #expect(try await scene.widgetsServed(by: service) == StoreScene.widgets.count) }
            }
            try await withBusClient(BusConfiguration(address: scene.system.address)) { client in
                let standby = RequestTarget(.cache, instance: InstanceName(rawValue: "cache-b"))
                let health = try await client.ask(standby, HealthRequest(), deadline: .seconds(5)).result.health
                #expect(health.role == .standby)
                let error = await #expect(throws: RequestError.self) {
                    try await client.ask(
                        standby,
                        SnapshotRequest<Refreshed>(),
                        deadline: .seconds(5),
                        waitsForService: false
                    )
                }
                #expect(error?.code == .unavailable)
            }
        }
    }

    @Test func aStandbyThatIsMissingIsAnAlarm() async throws {
        try await StoreScene.with(standbys: true) { scene in
            try await scene.withHealth(of: "cache") { health in
                try await scene.system.kill("cache-b")
                let message = try await StoreScene.wait(for: .degraded, health)
                #expect(message.contains("0 of 1 expected standbys of the cache are running"))
                try await scene.system.start("cache", as: "cache-b")
                let active = try await activeHealth("the alarm ends", health) { $0.state == .ready }
                #expect(active.role == .active)
            }
        }
    }

    @Test func aStandbyWithAnotherConfigurationIsAWarningUntilItHasTheSame() async throws {
        try await StoreScene.with(standbys: true) { scene in
            let own = try String(contentsOf: scene.system.file(RunningSystem.configurationFile), encoding: .utf8)
            let other = own.replacing("interval: \(RunningSystem.interval)", with: "interval: 200ms")
            try #require(other != own)
            try other.write(to: scene.system.file("other.yml"), atomically: true, encoding: .utf8)
            try await scene.withHealth(of: "cache") { health in
                try await scene.system.stop("cache-b")
                try await scene.system.start("cache", as: "cache-b", configuration: "other.yml")
                let warned = try await activeHealth("the difference is a warning", health) {
                    $0.message?.contains("have different configurations") == true
                }
                #expect(warned.message?.contains("the standby cache-b and this instance have different") == true)
                #expect(warned.state == .ready)
                try await scene.system.stop("cache-b")
                try await scene.system.start("cache", as: "cache-b")
                _ = try await activeHealth("the warning ends", health) { $0.message == nil }
            }
        }
    }

    /// Waits for a heartbeat of the active cache.
    private func activeHealth(_ what: String, _ client: BusClient, where isWanted: (Health) -> Bool) async throws
        -> Health
    {
        try await client.health(what) { health, name in name == "cache" && isWanted(health) ? health : nil }
    }
}
