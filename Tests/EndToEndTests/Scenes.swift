// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import HTTPTransport
import MessageBus
import OriginSupport
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
        ) { system in try await IndependentReader.with(system.address) { try await body(system, $0) } }
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
            try await IndependentReader.with(system.address) { try await body(origin, system, $0) }
        }
    }

    /// Waits until a condition is true; it is evaluated after each announcement of the cache.
    func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        // The longest promise is 15 s after a restart; announcements come each second.
        try await withSubscription(to: [Topic.Prefix.schedule], at: address) { messages in
            var announcements = 0
            for await case .message(let message) in messages where message.topic == .schedule(of: .cache) {
                if try await condition() { return }
                announcements += 1
                if announcements == 15 { throw DidNotArrive(what) }
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
