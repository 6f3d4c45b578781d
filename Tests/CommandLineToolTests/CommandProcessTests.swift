// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Glibc
import MessageBus
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

@testable import CommandLineTool

/// The executable itself, with the services beside it.
@Suite(.timeLimit(.minutes(3)))
struct CommandProcessTests {
    private struct Ended {
        var status: Int32
        var output: [String]
        var errors: String
    }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> Ended {
        let command = try SpawnedService("tidings", arguments, environment: environment)
        var output: [String] = []
        while let line = try await command.nextLine() { output.append(line) }
        return Ended(status: try await command.exitStatus(), output: output, errors: try await command.allEnded())
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
            #expect(health.output.count == 1 + ServiceName.chain.count)
            #expect(health.output.count { $0.contains("missing") } == ServiceName.chain.count - 1)
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
                let command = try SpawnedService(
                    "tidings",
                    ["subscribe", "--json", "--count", "2", "health/bus/", "layout/"],
                    environment: ["TIDINGS_BUS": address.description]
                )
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
                    kill(try #require(children(of: up.processIdentifier)[service]), SIGKILL)
                    // On the same ports, or this client would hear nothing.
                    try await client.first("the health of a new \(service)") { input -> Void? in
                        guard case .message(let topic, let frames) = input, topic.text.hasPrefix("health/\(service)/"),
                            let event = try frames.first.map({ try WireJSON.decode(Event<Health>.self, from: $0) })
                        else { return nil }
                        return event.data.state == .ready && event.data.startedAt >= start ? () : nil
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
            #expect(stopped == ["fetcher", "gateway", "notifier", "layout", "cache", "bus", "up"])
        }
    }

    @Test func aKilledUpLeavesNoChildBehind() async throws {
        try await withFolder("store: data\n") { _, environment in
            let up = try SpawnedService("tidings", ["up"], environment: environment)
            _ = try await up.readiness()
            #expect(children(of: up.processIdentifier).keys.sorted() == ServiceName.chain.map(\.rawValue).sorted())
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
                try FileManager.default.createDirectory(
                    at: folder.appending(path: name),
                    withIntermediateDirectories: true
                )
            }
            let both = environment.merging(["TIDINGS_BUS": addresses.joined(separator: ",")]) { $1 }
            let up = try SpawnedService("tidings", ["up"], environment: both)
            #expect(try await up.readiness().values["bus"] == addresses.joined(separator: ","))
            let whole = try await run(["health"], both)
            #expect(whole.status == 0)
            #expect(whole.output.count { $0.hasPrefix("bus ") } == 2)
            #expect(!whole.errors.contains("does not answer"))
            let subscription = BusConfiguration(
                addresses: try BusAddresses(addresses.joined(separator: ",")),
                subscriptions: ["health/bus/test-2/"]
            )
            try await withBusClient(subscription) { client in
                try await client.waitUntilReady()
                let start = Instant.now
                let frozen = try #require(processes(of: up.processIdentifier, at: addresses[1]).first)
                kill(frozen, SIGSTOP)
                let health = try await run(["health"], both)
                #expect(health.status == 0)
                #expect(health.errors.contains("warning: the bus at \(addresses[1]) does not answer"))
                try await client.first("the health of a new bus") { input -> Void? in
                    guard case .message(_, let frames) = input,
                        let event = try frames.first.map({ try WireJSON.decode(Event<Health>.self, from: $0) })
                    else { return nil }
                    return event.data.state == .ready && event.data.startedAt >= start ? () : nil
                }
            }
            up.signal(SIGTERM)
            #expect(try await up.exitStatus() == 0)
        }
    }

    /// Returns the child processes of `parent` whose `TIDINGS_BUS` begins with `address` and a slash.
    private func processes(of parent: Int32, at address: String) -> [Int32] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap(Int32.init) ?? []
        return numbers.filter { number in
            guard let status = try? String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8),
                status.contains("PPid:\t\(parent)\n"),
                let environment = FileManager.default.contents(atPath: "/proc/\(number)/environ")
            else { return false }
            let variables = String(decoding: environment, as: UTF8.self).split(separator: "\0")
            return variables.contains { $0.hasPrefix("TIDINGS_BUS=\(address)/") }
        }
    }

    /// Returns the child processes of `parent` by name.
    private func children(of parent: Int32) -> [String: Int32] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap(Int32.init) ?? []
        return numbers.reduce(into: [:]) { children, number in
            guard let status = try? String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8) else { return }
            let fields = status.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1) }
            let value = { (name: String) in fields.first { $0.first == "\(name):" }?.last.map(String.init) }
            if value("PPid") == String(parent), let name = value("Name") { children[name] = number }
        }
    }

    // MARK: demo

    @Test func theDemoShowsEveryVerdictAndLeavesNothing() async throws {
        try await withFolder("") { folder, _ in
            let temporary = folder.appending(path: "tmp")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
            let demo = try SpawnedService(
                "tidings",
                ["demo", "--bus", "tcp://127.0.0.1:0"],
                environment: ["TMPDIR": temporary.path()]
            )
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
