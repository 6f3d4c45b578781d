// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import MessageBus
import OriginSupport
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// The usual scenes: all services, an origin, a reader, a client.
extension RunningSystem {
    /// Runs `body` beside all services and a reader of all updates.
    static func read<Result>(
        _ sources: [String: String],
        fetching: [String: String] = [:],
        displays: [String: String] = [:],
        fetchers: Int = 1,
        environment: [String: String] = [:],
        files: [String: String] = [:],
        _ body: (RunningSystem, IndependentReader) async throws -> Result
    ) async throws -> Result {
        try await with(
            sources,
            fetching: fetching,
            displays: displays,
            fetchers: fetchers,
            environment: environment,
            files: files
        ) { system in try await system.withReader { try await body(system, $0) } }
    }

    /// Runs `body` beside all services with a widget of one feed, which changes with each request if it is nil.
    static func with<Result>(
        feed: String?,
        of widget: String,
        _ body: (ScriptedOrigin, RunningSystem) async throws -> Result
    ) async throws -> Result {
        try await withScriptedOrigin { origin in
            if let feed { origin.serve("/feed", body: feed) } else { origin.serveChanging("/feed") }
            return try await with([widget: origin.url("/feed")]) { try await body(origin, $0) }
        }
    }

    /// Runs `body` beside all services with a widget of one feed, and a reader of all updates.
    static func read<Result>(
        feed: String?,
        of widget: String,
        _ body: (ScriptedOrigin, RunningSystem, IndependentReader) async throws -> Result
    ) async throws -> Result {
        try await with(feed: feed, of: widget) { origin, system in
            try await system.withReader { try await body(origin, system, $0) }
        }
    }

    /// Runs `body` with a reader, and expects that all it heard follows the published rules.
    func withReader<Result>(_ body: (IndependentReader) async throws -> Result) async throws -> Result {
        try await IndependentReader.with(address) { reader in
            let result = try await body(reader)
            #expect(reader.record.faults == [])
            return result
        }
    }

    /// Starts a gateway when each widget has content, and the origin has said that it did not change.
    func startGateway(afterContentOf first: String, _ others: String...) async throws -> Int {
        try await IndependentReader.with(address) { reader in
            try await reader.read("the first content") { record in
                ([first] + others).allSatisfy { record.last($0)?.reason == "notModified" }
            }
        }
        return try await startGateway()
    }

    /// Changes the text of the configuration file in one step.
    func editConfiguration(_ change: (String) throws -> String) throws {
        let text = try String(contentsOf: file(Self.configurationFile), encoding: .utf8)
        try Data(try change(text).utf8).write(to: file(Self.configurationFile), options: .atomic)
    }

    /// Waits until a condition is true; it is evaluated after each heartbeat, and each announcement of the cache.
    func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        try await withSubscription(to: [Topic.Prefix.schedule, Topic.Prefix.health], at: address) { messages in
            // The longest promise is 15 s after a restart; there are at most three a second.
            var count = 0
            for await case .message(_) in messages {
                if try await condition() { return }
                count += 1
                if count == 45 { throw DidNotArrive(what) }
            }
        }
    }

    /// Sends a request as any client does.
    func ask<Body: RequestBody>(
        _ service: ServiceName,
        instance: String? = nil,
        _ request: Body,
        within deadline: Duration = .seconds(20)
    ) async throws -> (result: Body.Result, contents: [Data]) {
        let target = RequestTarget(service, instance: instance.flatMap { InstanceName(rawValue: $0) })
        return try await withBusClient(BusConfiguration(address: address)) { client in
            try await client.ask(target, request, deadline: deadline)
        }
    }

    /// Returns the last sequence number of each widget in the cache.
    func heads() async throws -> [String: UInt64] {
        let records = try await ask(.cache, SnapshotRequest<Refreshed>()).result.records
        let heads = records.compactMap { event in
            event.range.flatMap { range in event.subject.map { ($0, range.sequence.number) } }
        }
        return Dictionary(heads, uniquingKeysWith: max)
    }

    /// Creates the only token of the gateways of this system.
    func createToken(_ scopes: AccessScope...) throws -> AccessToken {
        let token = AccessToken()
        let record = TokenRecord(token: token, name: "test", scopes: scopes, created: "2026-11-22T00:00:00Z")
        try TokenFile(tokens: [record]).save(file("data/gateway-tokens.json").path())
        return token
    }
}

extension IndependentReader {
    /// Waits until each widget has so many more updates.
    func goOn(_ widgets: [String], by count: Int, _ what: String) async throws {
        let before = record
        try await read("all widgets go on \(what)") { record in
            widgets.allSatisfy { record.count($0) >= before.count($0) + count }
        }
    }

    /// Waits until each widget has four updates that were decided from now on.
    func readNew(_ widgets: [String], _ what: String) async throws {
        let begun = Instant.now
        try await read("all widgets went on \(what)") { record in
            let latest = record.updates.reversed().prefix { $0.time.map { $0 > begun } ?? true }
            return widgets.allSatisfy { widget in latest.count { $0.widget == widget } >= 4 }
        }
    }

    /// Waits until each widget has an update for each request that the origin has received.
    func catchUp(_ widgets: [String], with origin: ScriptedOrigin) async throws {
        let requests = widgets.map { origin.requests("/\($0)").count }
        try await read("an update for each request at the origin") { record in
            zip(widgets, requests).allSatisfy { widget, count in
                record.updates.count { $0.widget == widget && $0.cause == "refresh" } == count
            }
        }
    }
}

extension ScriptedOrigin {
    /// Returns the URL of the path with each of the names.
    func urls(_ names: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, url("/\($0)")) })
    }

    /// Serves feeds that change with each request, and returns their URLs.
    func serveChanging(_ names: [String]) -> [String: String] {
        for name in names { serveChanging("/\(name)") }
        return urls(names)
    }
}

/// Returns an RSS feed whose posts have titles and nothing else.
func rss(_ titles: String...) -> String {
    let items = titles.map { "<item><title>\($0)</title></item>" }.joined()
    return "<rss version=\"2.0\"><channel><title>T</title>\(items)</channel></rss>"
}

/// Sends a request to a gateway.
func get(
    _ port: Int,
    _ path: String,
    method: String = "GET",
    headers: [String: String] = [:],
    body: String? = nil
) async throws -> HTTPResponse {
    let configuration = HTTPClientConfiguration(userAgent: "Tidings/test", proxy: .none)
    let request = HTTPRequest(
        url: "http://127.0.0.1:\(port)\(path)",
        method: method,
        headers: headers.map { HTTPHeader($0.key, $0.value) },
        body: body.map { Data($0.utf8) },
        allowPrivateNetworks: true
    )
    return try await withHTTPClient(configuration: configuration) { try await $0.fetch(request) }
}

/// Returns the members of a gateway's answer.
func json(_ response: HTTPResponse) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
}
