// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import DemoOrigin
import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// Documents that keep a fetcher busy, beside sources that want their share of it.
///
/// `HOSTILE_ROUNDS` and `HOSTILE_DOCUMENTS` in the environment make the tests longer: `make hostile-feed`.
@Suite(.serialized, .timeLimit(.minutes(20))) struct HostileFeedTests {
    private static func number(_ name: String, default usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
    }

    /// The number of intervals of each good source.
    private static let rounds = number("HOSTILE_ROUNDS", default: 3)
    /// The number of hostile documents.
    private static let documents = number("HOSTILE_DOCUMENTS", default: 1000)
    private static let services = ["fetcher", "cache", "layout", "notifier"]

    /// Returns whether memory grew by at most 10 % and 20 MB.
    private static func isFlat(_ before: Int, _ after: Int) -> Bool { after <= before * 11 / 10 + 20_000_000 }

    /// Returns a feed of about 11 MB whose item has 350,000 authors; `number` makes its bytes unique.
    private static func manyAuthors(_ number: Int) -> ScriptedAnswer {
        let authors = (0..<350_000).map { "<dc:creator>name \($0)</dc:creator>" }.joined()
        return .feed(
            "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><title>Hostile \(number)</title>"
                + "<item><title>One</title>\(authors)</item></channel></rss>"
        )
    }

    @Test func aHostileFeedDelaysNoOtherAndIsNamedInLogAndHealth() async throws {
        let good = (0..<20).map { "good\($0)" }
        let interval = Duration.seconds(10)
        try await withDemoOrigin { origin in
            for name in good { origin.serveChanging("/\(name)") }
            // More than are asked for, with a pause that doubles after each.
            origin.serveScript("/hostile", (0..<8).map(Self.manyAuthors))
            let sources = Dictionary(uniqueKeysWithValues: (good + ["hostile"]).map { ($0, origin.url("/\($0)")) })
            // A document has a quarter of the lease as its processor time.
            let fetching = ["interval": "10s", "minimumInterval": "1s", "leaseDuration": "3s"]
            try await RunningSystem.with(sources, fetching: fetching) { system in
                let subscription = BusConfiguration(address: system.address, subscriptions: ["health/fetcher/"])
                try await withBusClient(subscription) { client in
                    let message = try await client.first("health that names the source") { input -> String? in
                        guard case .message(_, let frames) = input, let json = frames.first else { return nil }
                        let message = try WireJSON.decode(Event<Health>.self, from: json).data.message
                        return message?.contains("/hostile") == true ? message : nil
                    }
                    #expect(message.contains("took too long to read"))
                }
                try await system.wait(
                    for: "A document took too long to read, and is not read again",
                    inLogOf: "fetcher"
                )
                #expect(system.log(of: "fetcher").contains(origin.url("/hostile")))
                // On a machine with much other work, leases run out instead, and the pause is a minute.
                #expect(await origin.waitForRequests("/hostile", count: 2, deadline: .seconds(120)))
                let before = try system.memory(of: "fetcher", .peak)
                for name in good {
                    let count = Self.rounds + 1
                    #expect(await origin.waitForRequests("/\(name)", count: count, deadline: interval * (count + 3)))
                }
                let delays = good.flatMap { name in
                    let requests = origin.requests("/\(name)")
                    return zip(requests, requests.dropFirst()).compactMap { before, next in
                        before.finishedAt.map { next.receivedAt - $0 - interval }
                    }
                }.sorted()
                try #require(delays.count >= Self.rounds * good.count)
                let percentile = delays[delays.count * 95 / 100]
                #expect(percentile < .seconds(2), "the 95th percentile of the start delays is \(percentile)")
                let after = try system.memory(of: "fetcher", .peak)
                #expect(Self.isFlat(before, after), "\(before) bytes became \(after)")
                let figures =
                    "start delays p50 \(delays[delays.count / 2]), p95 \(percentile), memory \(before), \(after)"
                print("HostileFeedTests: \(figures)")
            }
        }
    }

    /// Returns a document of about 60 KB that repeats one piece of text.
    ///
    /// `number` selects the piece, and makes the bytes of the document unique.
    private static func repetition(_ number: Int) -> ScriptedAnswer {
        let pieces = [
            "<dc:creator>name</dc:creator>", "<category>c</category>", "<link>https://a.example/</link>", "<a>",
            "&lt;p title=&quot;", "<enclosure url='https://a.example/'/>", "<x:y xmlns:x='urn:x'>", "&amp;",
            "<![CDATA[]]>", "<media:group><media:content url='https://a.example/'/></media:group>",
        ]
        let piece = pieces[number % pieces.count]
        return .feed(
            "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:media='http://search.yahoo.com/mrss/'>"
                + "<channel><title>Hostile</title><item><title>\(number)</title><description>\(number) "
                + String(repeating: piece, count: 60_000 / piece.utf8.count)
                + "</description></item></channel></rss>"
        )
    }

    @Test func aThousandHostileDocumentsTakeNoMoreMemoryThanTen() async throws {
        let names = (0..<10).map { "hostile\($0)" }
        let each = Self.documents / names.count
        try await withDemoOrigin { origin in
            for (index, name) in names.enumerated() {
                // The first ten documents are one of each kind.
                origin.serveScript("/\(name)", (0..<each).map { Self.repetition(index + $0 * names.count + $0) })
            }
            let sources = origin.urls(names)
            try await RunningSystem.with(sources, fetching: ["leaseDuration": "20s"]) { system in
                // A second request means that the first document was read.
                for name in names {
                    #expect(await origin.waitForRequests("/\(name)", count: 2, deadline: .seconds(60)))
                }
                let before = try Self.services.map { try system.memory(of: $0, .resident) }
                let deadline = Duration.seconds(60 + each)
                for name in names {
                    #expect(await origin.waitForRequests("/\(name)", count: each + 1, deadline: deadline))
                }
                for (service, before) in zip(Self.services, before) {
                    let after = try system.memory(of: service, .resident)
                    #expect(Self.isFlat(before, after), "\(service): \(before) bytes became \(after)")
                }
            }
        }
    }
}
