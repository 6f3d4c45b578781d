// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// Proxies that the environment names.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ProxyTests {
    private static let feed = rss("Post")

    @Test func aSourceIsAskedThroughTheProxyWhichMayBePrivateWhereTheSourceMayNot() async throws {
        let requests = Counter()
        try await withRawServer { connection in
            // A proxy is asked with the whole address (RFC 9112, section 3.2.2).
            guard connection.requestHead.hasPrefix("GET http://feeds.invalid/feed HTTP/1.1\r\n") else { return }
            _ = requests.next()
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.feed.utf8.count)\r\nConnection: close\r\n\r\n"
            _ = connection.send(head + Self.feed)
        } _: { proxy in
            let sources = [
                "w": "{kind: feed, source: {url: \"http://feeds.invalid/feed\", allowPrivateNetworks: false}}",
                "private": "{kind: feed, source: {url: \"http://10.0.0.1/feed\", allowPrivateNetworks: false}}",
            ]
            let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "other.invalid"]
            try await RunningSystem.read(sources, environment: environment) { system, reader in
                try await reader.read("both") { record in
                    record.last("w")?.outcome == "sameBytes" && record.last("private")?.outcome == "failed"
                }
                // The proxy would go where the fetcher must not.
                #expect(reader.record.last("private")?.failure["message"]?.contains("not public") == true)
            }
        }
        #expect(requests.value >= 2)
    }
}
