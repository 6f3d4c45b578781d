// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// The executable itself, with the services beside it.
@Suite(.timeLimit(.minutes(3)))
struct CommandProcessTests {
    private func run(_ arguments: [String], _ environment: [String: String]) async throws -> CommandRun {
        try await CommandRun.tidings(arguments, environment: environment)
    }

    /// Runs `body` with a temporary folder that contains a configuration, and with an environment for `tidings`.
    private func withFolder(
        _ configuration: String,
        _ body: (URL, [String: String]) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tidings.yml")
        try Data(configuration.utf8).write(to: file)
        try await body(
            folder,
            [
                "TIDINGS_CONFIG": file.path(), "TIDINGS_BUS": "tcp://127.0.0.1:0", "TIDINGS_GATEWAY": "127.0.0.1:0",
                "TIDINGS_INSTANCE": "test",
            ]
        )
    }

    // MARK: Exit statuses

    @Test func whereThereIsNoServiceACommandSaysWhich() async throws {
        try await withSpawnedBus { _, address in
            let environment = ["TIDINGS_BUS": address.description]
            let get = try await run(["get", "blog"], environment)
            #expect(get.status == 3)
            #expect(get.errors.contains("notifier"))
            #expect(try await run(["send", "blog", "refresh"], environment).status == 3)
            let health = try await run(["health"], environment)
            #expect(health.status == 1)
            #expect(health.lines.count == 1 + ServiceName.chain.count)
            #expect(health.lines.count { $0.contains("missing") } == ServiceName.chain.count - 1)
            #expect(try await run(["health", "bus"], environment).status == 0)
            #expect(try await run(["health", "cache"], environment).status == 1)
        }
    }

    // MARK: subscribe

    @Test func eventsComeByteForByteAndACountEndsIt() async throws {
        try await withSpawnedBus { _, address in
            var configuration = BusConfiguration(address: address)
            configuration.publishes = true
            try await withBusClient(configuration) { client in
                try await client.waitUntilPublisherConnected()
                let arguments = ["subscribe", "--json", "--count", "2", "health/bus/", "layout/"]
                let environment = ["TIDINGS_BUS": address.description]
                let command = try SpawnedService("tidings", arguments, environment: environment)
                // The bus speaks of itself every 2 s: its line proves that the subscriptions hold.
                #expect(try await command.nextLine()?.contains(#""type":"tidings.health.v1""#) == true)
                let bytes = #"{"odd" : [1,  2],"ü":"\u00fc/\/"}"#
                client.publish(Topic("layout/blog/phone/"), [Data(bytes.utf8)])
                #expect(try await command.nextLine() == bytes)
                #expect(try await command.nextLine() == nil)
                #expect(try await command.exitStatus() == 0)
            }
        }
    }

    // MARK: up

    @Test func aBrokenConfigurationStartsNothing() async throws {
        try await withFolder("store: data\nbuss: 1\nwidgets: 3\n") { folder, environment in
            let ended = try await run(["up"], environment)
            #expect(ended.status == 2)
            #expect(ended.output.isEmpty)
            let file = folder.appending(path: "tidings.yml").path()
            #expect(ended.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("\(file):") })
            #expect(ended.errors.contains("\(file):2:1: "))
            #expect(ended.errors.contains("\(file):3:"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == ["tidings.yml"])
        }
    }

    @Test func whatDiesComesBackAndAllStopInOrder() async throws {
        try await withFolder("store: data\n") { _, environment in
            let up = try SpawnedService("tidings", ["up"], environment: environment)
            let bus = try #require(try await up.readiness().values["bus"])
            let health = ["health/cache/", "health/bus/"]
            try await withBusClient(BusConfiguration(address: try BusAddress(bus), subscriptions: health)) { client in
                try await client.waitUntilReady()
                for service in ["cache", "bus"] {
                    let start = Instant.now
                    kill(try #require(try ChildProcesses.names(of: up.processIdentifier)[service]), SIGKILL)
                    // On the same ports, or this client would hear nothing.
                    try await client.health("the health of a new \(service)") { health, _ in
                        health.state == .ready && health.startedAt >= start ? () : nil
                    }
                }
            }
            up.signal(SIGTERM)
            #expect(try await up.exitStatus() == 0)
            let errors = try await up.allEnded()
            #expect(errors.components(separatedBy: "up: A service ended; restarting it after a pause.").count == 3)
            #expect(errors.contains("reason=\"signal 9\" service=cache"))
            let stopped = errors.split(separator: "\n").compactMap { line in
                (ServiceName.chain.map(\.rawValue) + ["up"]).first { line.contains(" \($0): Stopped.") }
            }
            #expect(stopped == ["fetcher", "gateway", "delivery", "notifier", "layout", "cache", "bus", "up"])
        }
    }

    @Test func upRunsWithStandardOutputClosed() async throws {
        try await withFolder("store: data\n") { folder, environment in
            let bus = folder.appending(path: "bus")
            try FileManager.default.createDirectory(at: bus, withIntermediateDirectories: true)
            let ended = try await CommandRun.bash(
                """
                cd '\(folder.path())' || exit 9
                tidings up >&- 2> log &
                up=$!
                until tidings health > /dev/null 2>&1; do kill -0 $up || break; done
                kill $up
                wait $up || { cat log >&2; exit 1; }
                """,
                environment: environment.merging(["TIDINGS_BUS": "ipc://" + bus.path()]) { $1 }
            )
            #expect(ended.status == 0, "\(ended.errors)")
        }
    }

    @Test func aKilledUpLeavesNoChildBehind() async throws {
        try await withFolder("store: data\n") { _, environment in
            let up = try SpawnedService("tidings", ["up"], environment: environment)
            _ = try await up.readiness()
            let children = try ChildProcesses.names(of: up.processIdentifier).keys
            #expect(children.sorted() == ServiceName.chain.map(\.rawValue).sorted())
            up.signal(SIGKILL)
            #expect(try await up.exitStatus() == -SIGKILL)
            _ = try await up.allEnded()
        }
    }

    @Test func aSecondUpOnTheSamePortsGivesUp() async throws {
        try await withSpawnedBus { _, address in
            try await withFolder("store: data\n") { _, environment in
                let taken = environment.merging(["TIDINGS_BUS": address.description]) { $1 }
                let ended = try await run(["up"], taken)
                #expect(ended.status == 1)
                #expect(ended.errors.contains("the service 'bus' does not start"))
            }
        }
    }

    @Test func upRunsTwoBusesAndReplacesTheOneThatIsFrozen() async throws {
        try await withFolder("store: data\n") { folder, environment in
            let addresses = ["1", "2"].map { "ipc://" + folder.appending(path: $0).path() }
            for name in ["1", "2"] {
                let place = folder.appending(path: name)
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            let both = environment.merging(["TIDINGS_BUS": addresses.joined(separator: ",")]) { $1 }
            let up = try SpawnedService("tidings", ["up"], environment: both)
            #expect(try await up.readiness().values["bus"] == addresses.joined(separator: ","))
            let whole = try await run(["health"], both).succeeded()
            #expect(whole.lines.count { $0.hasPrefix("bus ") } == 2)
            #expect(!whole.errors.contains("does not answer"))
            let buses = try BusAddresses(addresses.joined(separator: ","))
            let subscription = BusConfiguration(addresses: buses, subscriptions: ["health/bus/test-2/"])
            try await withBusClient(subscription) { client in
                try await client.waitUntilReady()
                let start = Instant.now
                // A bus has its own address alone.
                let variable = "TIDINGS_BUS=\(addresses[1])/"
                let frozen = try ChildProcesses.numbers(of: up.processIdentifier, variable: variable)
                kill(try #require(frozen.first), SIGSTOP)
                let health = try await run(["health"], both).succeeded()
                #expect(health.errors.contains("warning: the bus at \(addresses[1]) does not answer"))
                try await client.health("the health of a new bus") { health, _ in
                    health.state == .ready && health.startedAt >= start ? () : nil
                }
            }
            up.signal(SIGTERM)
            #expect(try await up.exitStatus() == 0)
        }
    }

    // MARK: demo

    @Test func theDemoShowsEveryVerdictAndLeavesNothing() async throws {
        try await withFolder("") { folder, _ in
            let temporary = folder.appending(path: "tmp")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
            let arguments = ["demo", "--bus", "tcp://127.0.0.1:0"]
            let demo = try SpawnedService("tidings", arguments, environment: ["TMPDIR": temporary.path()])
            var expected = ["firstContent", "notModified", "visibleChange", "sameRows", "transient", "visibleChange"]
            while let next = expected.first, let line = try await demo.nextLine() {
                #expect(!line.contains("\u{1B}"))
                if line.hasPrefix("blog ") { #expect(line.count <= 80) }
                if line.contains(" \(next) ") || line.hasSuffix(" \(next)") { expected.removeFirst() }
            }
            #expect(expected.isEmpty, "\(demo.standardError)")
            demo.signal(SIGINT)
            #expect(try await demo.exitStatus() == 0)
            #expect(try await demo.allEnded().isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path()).isEmpty)
        }
    }
}
