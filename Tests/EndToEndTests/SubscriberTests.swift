// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

/// Subscribers in another language.
@Suite(.timeLimit(.minutes(2))) struct SubscriberTests {
    @Test func theSubscriberOfTheReadmePrintsUpdates() async throws {
        try await RunningSystem.with(feed: nil, of: "blog") { origin, system in
            let program = try Self.programOfTheReadme(subscribingTo: system.address.subscribe.description)
            let lines = try await ExampleTests.run(["-c", program], lines: 5)
            #expect(lines.count == 5)
            for line in lines {
                let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(event["specversion"] as? String == "1.0")
                #expect(event["type"] as? String == "tidings.update.v1")
                #expect(event["subject"] as? String == "blog")
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
}
