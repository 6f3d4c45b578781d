// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import TestSupport
import Testing

/// The examples for clients of the gateway.
@Suite(.timeLimit(.minutes(2))) struct GatewayExampleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Examples/gateway")

    @Test func aPanelFetchesAPictureOnceAndThenOnlyIfItChanged() async throws {
        try await RunningSystem.with(feed: rss(), of: "blog") { origin, system in
            let port = try await system.startGateway(afterContentOf: "blog")
            let folder = system.file("panel")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let script = Self.folder.appending(path: "panel.sh").path()
            let url = "http://127.0.0.1:\(port)/widgets/blog/phone-classic.png"
            #expect(try await EndedProgram.run([script, url, "panel.png"], in: folder).status == 0)
            let picture = try Data(contentsOf: folder.appending(path: "panel.png"))
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(try await EndedProgram.run([script, url, "panel.png"], in: folder).status == 3)
            #expect(try await EndedProgram.run([script, url + "x", "panel.png"], in: folder).status == 1)
            #expect(try Data(contentsOf: folder.appending(path: "panel.png")) == picture)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
            #expect(left == ["panel.png", "panel.png.etag"])
        }
    }

    @Test(arguments: [["node", "events.mjs"], ["python3", "events.py"]])
    func aFollowerShowsEachUpdateOnceAndInOrder(command: [String]) async throws {
        try await RunningSystem.with(feed: rss(), of: "blog") { origin, system in
            let port = try await system.startGateway()
            let script = Self.folder.appending(path: command[1]).path()
            let url = "http://127.0.0.1:\(port)/v1/events?snapshot=1"
            let ended = try await EndedProgram.run([command[0], script, url, "5"], in: system.file("."))
            #expect(ended.status == 0)
            let lines = ended.output.split(separator: "\n").map { $0.split(separator: " ") }
            let sequences = lines.compactMap { $0.count > 1 ? UInt64($0[1]) : nil }
            let first = try #require(sequences.first)
            #expect(sequences == Array(first..<first + 5))
            #expect(lines.allSatisfy { $0.first == "blog" })
        }
    }

    @Test func theConfigurationsOfOthersNameAddressesThatExist() async throws {
        let names = ["esphome.yaml", "glance.yaml", "home-assistant.yaml", "homepage.yaml", "WidgetTimeline.swift"]
        let addresses = try names.flatMap { name in
            let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
            let found = text.matches(of: /https?:\/\/[a-z0-9.:]+(\/[^"? \n]+)/).map { String($0.output.1) }
            #expect(!found.isEmpty, "\(name) names no address below the gateway's root")
            return found
        }
        try await withScriptedOrigin { origin in
            origin.serve("/feed", body: rss())
            let feed = origin.url("/feed")
            try await RunningSystem.with(["blog": feed, "weather": feed]) { system in
                let port = try await system.startGateway(afterContentOf: "blog", "weather")
                for address in addresses {
                    // The panel's display is one of the reader's own.
                    let path = address.replacing("/wall.", with: "/phone-compact.")
                    let client = try RawClient(port: port)
                    client.send("GET \(path) HTTP/1.0\r\nIf-None-Match: \"x\"\r\n\r\n")
                    let head = try client.read(until: "\r\n\r\n")
                    #expect(head.hasPrefix("HTTP/1.1 200 ") || head.hasPrefix("HTTP/1.0 200 "), "\(path): \(head)")
                    if path.hasSuffix(".png") {
                        #expect(head.contains("ETag: ") && head.contains("Tidings-Next-Change: "))
                    }
                }
            }
        }
    }
}
