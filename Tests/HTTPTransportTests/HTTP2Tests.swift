// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import HTTPTransport

/// HTTP/2 and TLS, against a server that is none of ours.
@Suite(.serialized, .timeLimit(.minutes(3))) struct HTTP2Tests {
    private static let feed = "<rss version=\"2.0\"><channel><title>T</title></channel></rss>"

    private func configuration(_ port: Int, certificateFile: String?) -> HTTPClientConfiguration {
        HTTPClientConfiguration(
            userAgent: "Tidings/test",
            proxy: .none,
            certificateFile: certificateFile,
            knownNames: ["\(HTTP2Origin.name):\(port):127.0.0.1"]
        )
    }

    /// Runs `body` with an origin that has the feed, and a client that trusts it or does not.
    private func withOrigin(
        trusted: Bool = true,
        _ body: (HTTPClient, HTTP2Origin) async throws -> Void
    ) async throws {
        try await HTTP2Origin.with(["feed.xml": Self.feed]) { origin in
            let file = trusted ? origin.certificateFile : nil
            try await withHTTPClient(configuration: configuration(origin.port, certificateFile: file)) { client in
                try await body(client, origin)
            }
        }
    }

    private func request(_ port: Int, name: String = HTTP2Origin.name) -> HTTPRequest {
        HTTPRequest(url: "https://\(name):\(port)/feed.xml", allowPrivateNetworks: true)
    }

    private func failureKind(_ client: HTTPClient, _ request: HTTPRequest) async -> HTTPFailure.Kind? {
        do throws(HTTPFailure) {
            _ = try await client.fetch(request)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func anOriginThatSpeaksHTTP2IsAskedInIt() async throws {
        try await withOrigin { client, origin in
            let response = try await client.fetch(request(origin.port))
            #expect(response.status == 200)
            #expect(response.httpVersion == "2")
            #expect(response.body == Data(Self.feed.utf8))
            let date = try #require(response.headers["last-modified"])
            var conditional = request(origin.port)
            conditional.headers = [HTTPHeader("If-Modified-Since", date)]
            let second = try await client.fetch(conditional)
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
        }
    }

    @Test func oneConnectionCarriesManyRequestsAtATime() async throws {
        try await withOrigin { client, origin in
            try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
                for _ in 0..<50 { group.addTask { try await client.fetch(request(origin.port)) } }
                for try await response in group {
                    #expect(response.httpVersion == "2")
                    #expect(response.body == Data(Self.feed.utf8))
                }
            }
        }
    }

    @Test(arguments: BrokenHTTP2Origin.Fault.allCases)
    func afterAnErrorOfHTTP2TheRequestIsRepeatedByHTTP1(fault: BrokenHTTP2Origin.Fault) async throws {
        try await BrokenHTTP2Origin.with(fault, Self.feed) { origin in
            let configuration = configuration(origin.port, certificateFile: origin.certificateFile)
            try await withHTTPClient(configuration: configuration) { client in
                var request = request(origin.port)
                let response = try await client.fetch(request)
                #expect(response.failedHTTP2)
                #expect(response.httpVersion == "1.1")
                #expect(response.body == Data(Self.feed.utf8))
                // A request that avoids HTTP/2 needs one connection only.
                request.avoidsHTTP2 = true
                let second = try await client.fetch(request)
                #expect(!second.failedHTTP2)
                #expect(second.body == Data(Self.feed.utf8))
                // A request that may have had an effect is not repeated.
                request.avoidsHTTP2 = false
                request.method = "POST"
                request.body = Data("x".utf8)
                #expect(await failureKind(client, request) != nil)
            }
        }
    }

    @Test func aRequestThatAvoidsHTTP2GetsNoConnectionThatSpeaksIt() async throws {
        try await withOrigin { client, origin in
            let first = try? await client.fetch(request(origin.port))
            #expect(first?.httpVersion == "2")
            var plain = request(origin.port)
            plain.avoidsHTTP2 = true
            // This server speaks HTTP/2 alone.
            #expect(await failureKind(client, plain) != nil)
        }
    }

    @Test func anAuthorityThatNobodyTrustsIsRefused() async throws {
        try await withOrigin(trusted: false) { client, origin in
            #expect(await failureKind(client, request(origin.port)) == .tls)
        }
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
        try await withOrigin { client, origin in
            #expect(await failureKind(client, request(origin.port, name: "127.0.0.1")) == .tls)
        }
    }
}
