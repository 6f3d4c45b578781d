// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import OriginSupport
import TestSupport
import Testing
import WidgetSchema

/// Documents that keep a fetcher busy, beside sources that want their share of it.
///
/// `make hostile-feed` runs the long form.
@Suite(.serialized, .timeLimit(.minutes(20))) struct HostileFeedTests {
    /// The interval of the good sources, in seconds, and the number of intervals.
    private static let (interval, rounds) = TestExtent.of((4, 3), nightly: (10, 30))
    /// The number of hostile documents, all of which are larger than the tolerance for memory.
    private static let documents = TestExtent.of(300, nightly: 10_000)
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
        let interval = Duration.seconds(Self.interval)
        try await withScriptedOrigin { origin in
            for name in good { origin.serveChanging("/\(name)") }
            // More than are asked for, with a pause that doubles after each.
            origin.serveScript("/hostile", (0..<8).map(Self.manyAuthors))
            let sources = origin.urls(good + ["hostile"])
            // A document has a quarter of the lease as its processor time.
            let fetching = ["interval": "\(Self.interval)s", "minimumInterval": "1s", "leaseDuration": "3s"]
            try await RunningSystem.with(sources, fetching: fetching) { system in
                let subscription = BusConfiguration(address: system.address, subscriptions: ["health/fetcher/"])
                try await withBusClient(subscription) { client in
                    let message = try await client.health("health that names the source") { health, _ in
                        health.message.flatMap { $0.contains("/hostile") ? $0 : nil }
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

    @Test func manyHostileDocumentsTakeNoMoreMemoryThanTen() async throws {
        let names = (0..<10).map { "hostile\($0)" }
        let each = Self.documents / names.count
        try await withScriptedOrigin { origin in
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
