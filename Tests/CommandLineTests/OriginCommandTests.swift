// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import HTTPTransport
import ServiceRuntime
import TestSupport
import Testing

@testable import CommandLine

/// The demo's origin as a process of its own.
@Suite(.timeLimit(.minutes(1)))
struct OriginCommandTests {
    @Test(arguments: [("127.0.0.1", "http://127.0.0.1:"), ("0.0.0.0", "http://0.0.0.0:"), ("::1", "http://[::1]:")])
    func itServesWhereItSaysAndCounts(host: String, beginning: String) async throws {
        let origin = try SpawnedService("tidings", ["origin", "--host", host, "--port", "0"])
        let url = try #require(try await origin.readiness().values["url"])
        #expect(url.hasPrefix(beginning))
        let configuration = HTTPClientConfiguration(userAgent: "Tidings/test", proxy: .none)
        try await withHTTPClient(configuration: configuration) { client in
            func get(_ path: String) async throws -> HTTPResponse {
                let address = url.replacing("0.0.0.0", with: "127.0.0.1")
                return try await client.fetch(HTTPRequest(url: address + path, allowPrivateNetworks: true))
            }
            #expect(try await get("blog.xml").status == 200)
            #expect(try await get("news.atom").status == 200)
            let counts = try await get("requests")
            #expect(String(decoding: counts.body, as: UTF8.self).contains(#""/blog.xml":{"count":1,"#))
        }
        origin.signal(SIGTERM)
        #expect(try await origin.exitStatus() == 0)
        _ = try await origin.allEnded()
    }

    @Test(arguments: [["--host", "origin.example"], ["--port", "65536"], ["--port", "http"]])
    func whatIsNoPlaceIsWrongUse(_ options: [String]) async throws {
        let origin = try SpawnedService("tidings", ["origin"] + options)
        #expect(try await origin.exitStatus() == 2)
        #expect(try await origin.allEnded().hasPrefix("tidings origin: "))
    }
}
