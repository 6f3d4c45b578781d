// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// Tests of the examples in docs/events.md against the running system.
@Suite(.timeLimit(.minutes(2))) struct ExampleTests {
    @Test func aSnapshotAndAReplayTileInPython() async throws {
        try await withBlog { system, ports in
            let lines = try await Self.run("ask.py", ["127.0.0.1", "\(ports.request)"])
            let words = lines.map { $0.split(separator: " ").map(String.init) }
            let snapshot = try #require(words.first { $0[0] == "snapshot" })
            #expect(snapshot[1] == "blog")
            let replayed = words.filter { $0[0] == "replay" }.compactMap { line in
                UInt64(line[2]).flatMap { first in UInt64(line[3]).map { (first: first, sequence: $0) } }
            }
            #expect(replayed.first?.first == 1)
            #expect((replayed.last?.sequence ?? 0) >= UInt64(snapshot[3]) ?? .max)
            for (before, after) in zip(replayed, replayed.dropFirst()) { #expect(after.first == before.sequence + 1) }
        }
    }

    @Test func rawFramesSubscribeAndAsk() async throws {
        try await withBlog { system, ports in
            let arguments = ["127.0.0.1", "\(ports.subscribe)", "\(ports.request)"]
            let lines = try await Self.run("raw.py", arguments, lines: 3)
            #expect(lines.first?.hasPrefix("snapshot blog 0000000") == true, "\(lines)")
            #expect(lines.last?.hasPrefix("update/") == true, "\(lines)")
            #expect(lines.last?.contains("/blog/ 0000000") == true, "\(lines)")
        }
    }

    @Test func aSubscriberInCWithoutALibraryMissesNothingWhileServicesDie() async throws {
        let widgets = ["a", "b", "c"]
        try await FollowingProcess.compiled { program in
            try await withScriptedOrigin { origin in
                let sources = origin.serveChanging(widgets)
                try await RunningSystem.with(sources) { system in
                    let follower = try FollowingProcess(system.address, executable: program)
                    defer { follower.kill() }
                    var seen: [String: UInt64] = [:]
                    for service in ["none", "notifier", "bus", "cache"] {
                        if service != "none" {
                            try await system.killAndStart(service)
                        }
                        let before = seen
                        try await follower.read("updates after the death of \(service)") { last in
                            widgets.allSatisfy { last[$0] ?? 0 >= (before[$0] ?? 0) + 5 }
                        }
                        seen = follower.last
                    }
                    // Longer than the bus waits for a reader, so that only a replay brings what it missed.
                    follower.stopReading()
                    try await IndependentReader.with(system.address) { reader in
                        try await reader.read("updates that nobody reads") { record in
                            widgets.allSatisfy { record.count($0) >= 20 }
                        }
                    }
                    follower.readAgain()
                    let before = seen
                    try await follower.read("updates after the pause") { last in
                        widgets.allSatisfy { last[$0] ?? 0 >= (before[$0] ?? 0) + 20 }
                    }
                    #expect(follower.faults == [])
                }
            }
        }
    }

    private func withBlog(
        _ body: (RunningSystem, (subscribe: UInt16, request: UInt16)) async throws -> Void
    ) async throws {
        try await RunningSystem.with(feed: nil, of: "blog") { origin, system in
            guard case .tcp(_, let subscribe) = system.address.subscribe,
                case .tcp(_, let request) = system.address.request
            else { throw DidNotArrive("a bus on TCP") }
            // Some updates are there already.
            _ = try await Self.run("raw.py", ["127.0.0.1", "\(subscribe)", "\(request)"], lines: 4)
            try await body(system, (subscribe, request))
        }
    }

    private static func run(_ name: String, _ arguments: [String], lines count: Int = .max) async throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples/python")
        return try await run([folder.appending(path: name).path] + arguments, lines: count)
    }

    /// Runs a Python program to its end, or until it has printed so many lines.
    static func run(_ arguments: [String], lines count: Int) async throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.start()
        // A thread of Swift's pool blocks SIGTERM, and its children inherit that.
        defer { kill(process.processIdentifier, SIGKILL) }
        let handle = output.fileHandleForReading
        return try await ServiceThread.run(named: "python") {
            var text = ""
            while text.count(where: { $0 == "\n" }) < count {
                let data = handle.availableData
                if data.isEmpty { break }
                text += String(decoding: data, as: UTF8.self)
            }
            return text.split(separator: "\n").prefix(count).map(String.init)
        }
    }
}
