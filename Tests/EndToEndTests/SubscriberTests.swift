// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import OriginSupport
import ServiceRuntime
import TestSupport
import Testing

/// Subscribers in another language.
@Suite(.timeLimit(.minutes(2))) struct SubscriberTests {
    @Test func theSubscriberOfTheReadmePrintsUpdates() async throws {
        try await withScriptedOrigin { origin in
            origin.serveChanging("/feed")
            try await RunningSystem.with(["blog": origin.url("/feed")]) { system in
                let program = try Self.programOfTheReadme(subscribingTo: system.address.subscribe.description)
                let lines = try await Self.run(program, lines: 5)
                #expect(lines.count == 5)
                for line in lines {
                    let event = try #require(
                        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    )
                    #expect(event["specversion"] as? String == "1.0")
                    #expect(event["type"] as? String == "tidings.update.v1")
                    #expect(event["subject"] as? String == "blog")
                }
            }
        }
    }

    private static func programOfTheReadme(subscribingTo endpoint: String) throws -> String {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        let start = try #require(text.range(of: "```python\n"))
        let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
        let program = String(text[start.upperBound..<end.lowerBound])
        #expect(program.split(separator: "\n").count == 5)
        #expect(program.contains("tcp://127.0.0.1:5556"))
        return program.replacingOccurrences(of: "tcp://127.0.0.1:5556", with: endpoint)
    }

    /// Runs a Python program until it has printed so many lines.
    private static func run(_ program: String, lines count: Int) async throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", program]
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
