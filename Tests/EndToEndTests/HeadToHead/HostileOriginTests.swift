// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import TestSupport
import Testing
import WidgetSchema

/// Head-to-head cases 9 and 10: answers that are meant to do harm cost little and show nothing.
@Suite("Head to head: hostile origins", .serialized, .timeLimit(.minutes(3))) struct HostileOriginTests {
    /// The maximum memory of a fetcher, in bytes: two bodies of the largest size, their content, and the program.
    private static let memoryLimit = 160 << 20

    /// A way in which an origin misbehaves on a connection.
    private struct Misdeed {
        var name: String
        var failure: String
        var answer: @Sendable (RawServer.Connection) -> Void
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n"

    private static let misdeeds = [
        Misdeed(name: "bomb", failure: "permanent") { connection in
            guard connection.send(ok + "Content-Encoding: gzip\r\n\r\n") else { return }
            guard connection.send(GzipBomb.header) else { return }
            // 10,000 mebibytes from 10 megabytes.
            for _ in 0..<10_000 where !connection.send(GzipBomb.mebibyte) { return }
        },
        Misdeed(name: "large", failure: "permanent") { connection in
            guard connection.send(ok + "\r\n<rss version=\"2.0\"><channel><title>T</title>") else { return }
            let item = Array("<item><title>\(String(repeating: "x", count: 4000))</title></item>".utf8)
            for _ in 0..<(20 * 256) where !connection.send(item) { return }
        },
        Misdeed(name: "announced", failure: "permanent") { connection in
            _ = connection.send(ok + "Content-Length: 99999999999\r\n\r\n")
            _ = connection.waitForPeer(milliseconds: 20_000)
        },
        Misdeed(name: "drip", failure: "transient") { connection in
            guard connection.send(ok + "Content-Length: 100000\r\n\r\n") else { return }
            // A byte each second.
            while !connection.waitForPeer(milliseconds: 1000), connection.send("x") {}
        },
        Misdeed(name: "headers", failure: "permanent") { connection in
            guard connection.send("HTTP/1.1 200 OK\r\n") else { return }
            while connection.send("X-Endless: \(String(repeating: "x", count: 1000))\r\n") {}
        },
        Misdeed(name: "loop", failure: "permanent") { connection in
            _ = connection.send(
                "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        },
        Misdeed(name: "metadata", failure: "permanent") { connection in
            let target = "http://169.254.169.254/latest/meta-data/"
            _ = connection.send("HTTP/1.1 301 Gone\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
        },
        Misdeed(name: "file", failure: "permanent") { connection in
            _ = connection.send("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n")
        },
        Misdeed(name: "silent", failure: "transient") { connection in
            _ = connection.waitForPeer(milliseconds: 20_000)
        },
    ]

    @Test("9: bombs, floods, drips, loops and private addresses end soon, small, and as failures")
    func misdeeds() async throws {
        try await Self.withServers(Self.misdeeds) { ports in
            var sources = ports.mapValues { "http://127.0.0.1:\($0)/feed" }
            // A name that is private: what it was when it was configured counts for nothing.
            let port = try #require(ports["loop"])
            sources["private"] =
                "{kind: feed, source: {url: \"http://localhost:\(port)/\", allowPrivateNetworks: false}}"
            let names = sources.keys.sorted()
            try await RunningSystem.read(sources) { system, reader in
                try await reader.read("a failure of each", within: .seconds(60)) { record in
                    names.allSatisfy { record.last($0)?.outcome == "failed" }
                }
                for misdeed in Self.misdeeds {
                    let failure = reader.record.last(misdeed.name)?.failure["class"]
                    #expect(failure == misdeed.failure, "\(misdeed.name)")
                }
                let message = reader.record.last("metadata")?.failure["message"] ?? ""
                #expect(message.contains("connecting to 169.254.169.254 is not allowed"))
                #expect(reader.record.last("private")?.failure["message"]?.contains("not public") == true)
                let memory = try system.peakMemory(of: "fetcher")
                #expect(memory < Self.memoryLimit, "\(memory >> 20) MiB")
            }
        }
    }

    @Test("10: no entity is expanded, no file read and no other document fetched")
    func entities() async throws {
        try await withScriptedOrigin { origin in
            let documents = EntityBombs.documents(evil: origin.url("/evil.dtd"))
            #expect(documents.count == 12)
            var sources: [String: String] = [:]
            for (index, document) in documents.enumerated() {
                origin.serveScript("/\(index)", [.feed(document)])
                sources["w\(index)"] = origin.url("/\(index)")
            }
            origin.serve("/evil.dtd", body: "<!ENTITY evil \"expanded\">", contentType: "application/xml-dtd")
            let names = sources.keys.sorted()
            try await RunningSystem.read(sources) { system, reader in
                try await reader.read("a cycle of each") { record in
                    names.allSatisfy { name in record.updates.contains { $0.widget == name && $0.cause == "refresh" } }
                }
                for name in names where reader.record.last(name)?.outcome != "failed" {
                    let feed = try await ShownContent.feed(name, system)
                    let text =
                        "\(feed.title ?? "") " + feed.items.map { "\($0.title) \($0.summary ?? "")" }.joined()
                    #expect(!text.contains("lollollol"), "\(name)")
                    #expect(!text.contains("root:"), "\(name)")
                    #expect(!text.contains("expanded"), "\(name)")
                }
                #expect(try system.peakMemory(of: "fetcher") < Self.memoryLimit)
            }
            #expect(origin.requests("/evil.dtd").isEmpty)
        }
    }

    /// Runs `body` with a server for each misdeed, and gives it their ports by name.
    private static func withServers(_ misdeeds: [Misdeed], _ body: ([String: Int]) async throws -> Void) async throws {
        func open(_ rest: ArraySlice<Misdeed>, _ ports: [String: Int]) async throws {
            guard let misdeed = rest.first else { return try await body(ports) }
            try await withRawServer(answer: misdeed.answer) { server in
                try await open(rest.dropFirst(), ports.merging([misdeed.name: server.port]) { first, _ in first })
            }
        }
        try await open(misdeeds[...], [:])
    }
}

/// A stream of zeros in gzip, in which a kilobyte stands for a mebibyte.
private enum GzipBomb {
    static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
    /// One block of deflate that ends with a byte, without being the last.
    static let mebibyte: [UInt8] =
        [0xec, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xc2, 0xa0, 0xf5, 0x4f, 0x6d, 0x08, 0x5f, 0xa0]
        + [UInt8](repeating: 0, count: 1016) + [0x3e, 0x03, 0x00, 0x00, 0xff, 0xff]
}

/// Documents that make a parser work for ever, or read what it should not.
private enum EntityBombs {
    static func documents(evil: String) -> [String] {
        let laughs = (1...10).map { level in
            "<!ENTITY lol\(level) \"" + String(repeating: "&lol\(level - 1);", count: 10) + "\">"
        }.joined()
        let quadratic = String(repeating: "lol", count: 30_000)
        let attributes = "<!ATTLIST item x CDATA \"&lol9;\">"
        let subset = [
            ("<!ENTITY lol0 \"lollollol\">\(laughs)", "&lol10;"),
            ("<!ENTITY lol0 \"\(quadratic)\">", String(repeating: "&lol0;", count: 3000)),
            ("<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">", "&a;"),
            ("<!ENTITY a \"lollollol&a;\">", "&a;"),
            ("<!ENTITY % p \"<!ENTITY lol0 'lollollol'>\">%p;\(laughs)", "&lol10;"),
            ("<!ENTITY % p '&#37;p;'>%p;", "lol"),
            ("<!ENTITY lol0 \"lollollol\">\(laughs)\(attributes)", "lol"),
            (
                "<!ENTITY lol0 \"<item><title>lollollol</title></item>\">\(laughs)",
                "</title></item>&lol10;<item><title>"
            ),
            ("<!ENTITY xxe SYSTEM \"file:///etc/passwd\">", "&xxe;"),
            ("<!ENTITY % xxe SYSTEM \"\(evil)\">%xxe;", "&evil;"),
            ("<!ENTITY xxe SYSTEM \"\(evil)\">", "&xxe;"),
        ]
        func feed(_ text: String) -> String {
            "<rss version=\"2.0\"><channel><title>T</title><item><title>a \(text) b</title></item></channel></rss>"
        }
        return subset.map { "<?xml version=\"1.0\"?><!DOCTYPE rss [\($0)]>\(feed($1))" }
            + ["<?xml version=\"1.0\"?><!DOCTYPE rss SYSTEM \"\(evil)\">\(feed("&evil;"))"]
    }
}
