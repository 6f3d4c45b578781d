// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import ServiceRuntime
import TestSupport
import Testing

/// The demo's origin as a process of its own.
@Suite(.timeLimit(.minutes(3)))
struct OriginCommandTests {
    /// The places of this machine; in many containers there is no IPv6.
    private static let places =
        [("127.0.0.1", "http://127.0.0.1:"), ("0.0.0.0", "http://0.0.0.0:")]
        + (hasIPv6Loopback ? [("::1", "http://[::1]:")] : [])

    private static var hasIPv6Loopback: Bool {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        let size = socklen_t(MemoryLayout.size(ofValue: address))
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
    }

    @Test(arguments: places)
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

    @Test func anAddressThatIsNotOfThisMachineIsNamed() async throws {
        // RFC 5737: nobody has it.
        let origin = try SpawnedService("tidings", ["origin", "--host", "192.0.2.1", "--port", "0"])
        #expect(try await origin.exitStatus() == 1)
        #expect(try await origin.allEnded().contains("cannot listen on 192.0.2.1:0"))
    }
}
