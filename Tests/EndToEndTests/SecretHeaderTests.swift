// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import OriginSupport
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// Secrets of the environment reach origins, and nobody else.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SecretHeaderTests {
    private static let secret = "s3cr3t-0f-the-environment"
    private static let feed = rss("Post")

    @Test func aSecretReachesTheOriginAndNoLogEventStoreOrCommand() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/feed", body: Self.feed)
            let source = "{url: \"\(origin.url("/feed"))\", headers: {Authorization: \"Bearer ${FEED_TOKEN}\"}}"
            let environment = ["FEED_TOKEN": Self.secret, "TIDINGS_LOG_LEVEL": "trace"]
            let widgets = ["w": "{kind: feed, source: \(source)}"]
            try await RunningSystem.with(widgets, environment: environment) { system in
                let subscriptions = ["fetched/", "refreshed/", "laidout/", "update/", "heads/", "health/"]
                let configuration = BusConfiguration(address: system.address, subscriptions: subscriptions)
                try await withBusClient(configuration) { client in
                    var said = try await Self.listen(to: client, until: "\"notModified\"")
                    // Also where things go wrong nobody is told more.
                    origin.setStatus("/feed", 500)
                    said += try await Self.listen(to: client, until: "\"transient\"")
                    origin.setStatus("/feed", nil)
                    #expect(
                        origin.requests("/feed").allSatisfy { $0.header("Authorization") == "Bearer \(Self.secret)" }
                    )
                    said += try await Self.output(["explain", "w"], system)
                    said += try await Self.output(["check", system.file("tidings.yml").path], system)
                    said += try await Self.output(["check", "--fetch", system.file("tidings.yml").path], system)
                    #expect(said.contains("1 item"))
                    for service in ["bus", "cache", "fetcher", "layout", "notifier"] { said += system.log(of: service) }
                    #expect(!said.contains(Self.secret))
                }
                try await system.stop("cache")
                let folder = system.file("data")
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    let bytes = try Data(contentsOf: folder.appending(path: name))
                    #expect(bytes.range(of: Data(Self.secret.utf8)) == nil, "\(name)")
                }
                try await system.start("cache")
            }
        }
    }

    // `localhost` is another server than 127.0.0.1: only the name of a server counts, not its address.
    @Test func aServerThatAPageOrARedirectNamesReceivesNoSecret() async throws {
        try await withScriptedOrigin { origin in
            let other = origin.url("/").replacing("127.0.0.1", with: "localhost")
            let link = "<link rel=alternate type='application/rss+xml' href='\(other)announced'>"
            origin.serve("/page", body: "<html><head>\(link)</head></html>", contentType: "text/html")
            for path in ["/announced", "/target"] { origin.serve(path, body: Self.feed) }
            origin.setStatus("/moved", 301, headers: ["Location": other + "target"])
            let header = "headers: {X-Key: \"${FEED_TOKEN}\"}"
            let widgets = [
                "page": "{kind: feed, source: {url: \"\(origin.url("/page"))\", \(header)}}",
                "moved": "{kind: feed, source: {url: \"\(origin.url("/moved"))\", \(header)}}",
            ]
            try await RunningSystem.with(widgets, environment: ["FEED_TOKEN": Self.secret]) { _ in
                // The second request is made from the stored address.
                for path in ["/announced", "/target"] {
                    #expect(await origin.waitForRequests(path, count: 2, deadline: .seconds(30)))
                    #expect(origin.requests(path).allSatisfy { $0.header("X-Key") == nil }, "\(path)")
                }
                for path in ["/page", "/moved"] {
                    #expect(origin.requests(path).map { $0.header("X-Key") } == [Self.secret], "\(path)")
                }
            }
        }
    }

    /// Returns all published messages as text, until they contain `text`; throws after 20 seconds.
    private static func listen(to client: BusClient, until text: String) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(20)
        return try await ServiceThread.run(named: "listener") {
            var said = ""
            while !said.contains(text) {
                for case .message(let topic, let frames) in client.nextBatch(maximum: 64, until: deadline) {
                    said += topic.text + frames.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
                }
                guard ContinuousClock.now < deadline else { throw DidNotArrive(text) }
            }
            return said
        }
    }

    /// Returns the text that a `tidings` command writes to standard output and standard error.
    private static func output(_ arguments: [String], _ system: RunningSystem) async throws -> String {
        let environment = ["TIDINGS_BUS": system.address.description, "FEED_TOKEN": secret]
        let command = try SpawnedService("tidings", arguments, environment: environment)
        var text = ""
        while let line = try await command.nextLine() { text += line + "\n" }
        return text + (try await command.allEnded())
    }
}
