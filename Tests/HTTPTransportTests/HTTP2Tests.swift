// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import HTTPTransport

/// HTTP/2 and TLS, against a server that is none of ours.
@Suite(.serialized, .timeLimit(.minutes(3))) struct HTTP2Tests {
    private static let feed = "<rss version=\"2.0\"><channel><title>T</title></channel></rss>"

    private func configuration(_ origin: HTTP2Origin, trusted: Bool = true) -> HTTPClientConfiguration {
        HTTPClientConfiguration(
            userAgent: "Tidings/test",
            proxy: .none,
            certificateFile: trusted ? origin.certificateFile : nil,
            knownNames: ["\(HTTP2Origin.name):\(origin.port):127.0.0.1"]
        )
    }

    private func request(_ origin: HTTP2Origin, name: String = HTTP2Origin.name) -> HTTPRequest {
        HTTPRequest(url: "https://\(name):\(origin.port)/feed.xml", allowPrivateNetworks: true)
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
        try await HTTP2Origin.with(["feed.xml": Self.feed]) { origin in
            try await withHTTPClient(configuration: configuration(origin)) { client in
                let response = try await client.fetch(request(origin))
                #expect(response.status == 200)
                #expect(response.httpVersion == "2")
                #expect(response.body == Data(Self.feed.utf8))
                let date = try #require(response.headers["last-modified"])
                var conditional = request(origin)
                conditional.headers = [HTTPHeader("If-Modified-Since", date)]
                let second = try await client.fetch(conditional)
                #expect(second.status == 304)
                #expect(second.body.isEmpty)
            }
        }
    }

    @Test func oneConnectionCarriesManyRequestsAtATime() async throws {
        try await HTTP2Origin.with(["feed.xml": Self.feed]) { origin in
            try await withHTTPClient(configuration: configuration(origin)) { client in
                try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
                    for _ in 0..<50 { group.addTask { try await client.fetch(request(origin)) } }
                    for try await response in group {
                        #expect(response.httpVersion == "2")
                        #expect(response.body == Data(Self.feed.utf8))
                    }
                }
            }
        }
    }

    @Test(arguments: BrokenHTTP2Origin.Fault.allCases)
    func afterAnErrorOfHTTP2TheRequestIsRepeatedByHTTP1(fault: BrokenHTTP2Origin.Fault) async throws {
        try await BrokenHTTP2Origin.with(fault, Self.feed) { origin in
            let configuration = HTTPClientConfiguration(
                userAgent: "Tidings/test",
                proxy: .none,
                certificateFile: origin.certificateFile,
                knownNames: ["\(HTTP2Origin.name):\(origin.port):127.0.0.1"]
            )
            try await withHTTPClient(configuration: configuration) { client in
                let url = "https://\(HTTP2Origin.name):\(origin.port)/feed.xml"
                var request = HTTPRequest(url: url, allowPrivateNetworks: true)
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
        try await HTTP2Origin.with(["feed.xml": Self.feed]) { origin in
            await withHTTPClient(configuration: configuration(origin)) { client in
                let first = try? await client.fetch(request(origin))
                #expect(first?.httpVersion == "2")
                var plain = request(origin)
                plain.avoidsHTTP2 = true
                // This server speaks HTTP/2 alone.
                #expect(await failureKind(client, plain) != nil)
            }
        }
    }

    @Test func anAuthorityThatNobodyTrustsIsRefused() async throws {
        try await HTTP2Origin.with(["feed.xml": Self.feed]) { origin in
            await withHTTPClient(configuration: configuration(origin, trusted: false)) { client in
                #expect(await failureKind(client, request(origin)) == .tls)
            }
        }
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
        try await HTTP2Origin.with(["feed.xml": Self.feed]) { origin in
            await withHTTPClient(configuration: configuration(origin)) { client in
                #expect(await failureKind(client, request(origin, name: "127.0.0.1")) == .tls)
            }
        }
    }
}
