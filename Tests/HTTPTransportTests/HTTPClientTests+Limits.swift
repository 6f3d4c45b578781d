// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WebServer

@testable import HTTPTransport

extension HTTPClientTests {
    // MARK: Limits

    @Test(arguments: CompressedBody.greetings)
    func aCompressedBodyIsDecompressed(compressed: CompressedBody) async throws {
        try await withServer { request in
            let isOffered = request.header("Accept-Encoding")?.contains(compressed.encoding) == true
            let headers = [WebHeader("Content-Encoding", compressed.encoding)]
            return isOffered ? WebResponse(headers: headers, body: compressed.bytes) : WebResponse(status: 406)
        } _: { client, port in
            let response = try await client.fetch(local(port))
            #expect(response.body == Data(String(repeating: "hello ", count: 20).utf8))
        }
    }

    @Test(arguments: CompressedBody.greetings)
    func aCompressedBodyThatEndsBeforeItsEndIsAFailure(compressed: CompressedBody) async throws {
        try await withServer { _ in
            let half = compressed.bytes.prefix(compressed.bytes.count - 3)
            return WebResponse(headers: [WebHeader("Content-Encoding", compressed.encoding)], body: Data(half))
        } _: { client, port in
            // A gzip body lacks its checksum then, the others some of their text.
            #expect(await failure(client, local(port))?.kind == .badContentCoding)
        }
    }

    @Test(arguments: CompressedBody.greetings)
    func whatFollowsACompressedBodyIsIgnored(compressed: CompressedBody) async throws {
        // zlib's own format has no room for more: browsers read it to its end as well.
        try await withServer { _ in
            let body = compressed.bytes + Data("<!-- served by a cache -->".utf8)
            return WebResponse(headers: [WebHeader("Content-Encoding", compressed.encoding)], body: body)
        } _: { client, port in
            let response = try await client.fetch(local(port))
            #expect(response.body == Data(String(repeating: "hello ", count: 20).utf8))
        }
    }

    @Test func codingsOnTopOfEachOtherAndMembersBehindEachOtherAreDecoded() async throws {
        let gzip = try #require(CompressedBody.greetings.first).bytes
        try await withServer { request in
            switch request.path {
            case "/members": WebResponse(headers: [WebHeader("Content-Encoding", "gzip")], body: gzip + gzip)
            case "/text": WebResponse(headers: [WebHeader("Content-Encoding", "utf-8")], body: Data("plain".utf8))
            case "/empty": WebResponse(headers: [WebHeader("Content-Encoding", "gzip")], body: Data())
            default: WebResponse(headers: [WebHeader("Content-Encoding", "gzip")], body: Data("plain".utf8))
            }
        } _: { client, port in
            let members = try await client.fetch(local(port, "/members"))
            #expect(members.body == Data(String(repeating: "hello ", count: 40).utf8))
            #expect(try await client.fetch(local(port, "/text")).body == Data("plain".utf8))
            #expect(try await client.fetch(local(port, "/empty")).body.isEmpty)
            // Nothing is compressed, although the header says so.
            #expect(try await client.fetch(local(port, "/lie")).body == Data("plain".utf8))
        }
    }

    /// Bodies as they are sent, with the names of their codings and the text that they stand for.
    static let unnamedCodings: [(body: Data, names: String?, text: String?)] = {
        let plain = String(repeating: "hello ", count: 20)
        let gzip = CompressedBody.greetings[0].bytes
        // A stored block of deflate (RFC 1951, section 3.2.4); no checksum is reached.
        func wrapped(_ data: Data) -> Data {
            let size = UInt16(data.count)
            let block = [UInt8(1), UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
            return Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + block) + data + checksum(of: data)
        }
        func checksum(of data: Data) -> Data {
            var sum = UInt32.max
            for byte in data {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
            }
            return withUnsafeBytes(of: (~sum).littleEndian) { Data($0) }
                + withUnsafeBytes(of: UInt32(data.count).littleEndian) { Data($0) }
        }
        var nested = gzip
        for _ in 0..<3 { nested = wrapped(nested) }
        return [
            (gzip, nil, plain), (wrapped(gzip), nil, plain), (wrapped(gzip), "gzip", plain), (gzip, "deflate", plain),
            (gzip, "zstd", plain), (nested, nil, plain), (wrapped(nested), nil, nil), (wrapped(nested), "gzip", nil),
            (gzip.dropLast(3), nil, nil), (Data([0x1f]), nil, "\u{1f}"), (Data([0x1f]), "gzip", "\u{1f}"),
            (Data("x".utf8), "gzip", "x"), (Data("<rss/>".utf8), "zstd", "<rss/>"), (Data("P".utf8), "zstd", "P"),
        ]
    }()

    @Test(arguments: unnamedCodings.indices)
    func theFirstBytesOfABodySayWhetherItIsCompressed(index: Int) async throws {
        let (body, names, text) = Self.unnamedCodings[index]
        let response = WebResponse(headers: names.map { [WebHeader("Content-Encoding", $0)] } ?? [], body: body)
        try await withServer(response) { client, port in
            guard let text else {
                #expect(await failure(client, local(port))?.kind == .badContentCoding)
                return
            }
            let response = try await client.fetch(local(port))
            #expect(response.body == Data(text.utf8))
        }
    }

    @Test func aBombThatNoHeaderNamesIsCutOff() async throws {
        let bomb = CompressedBody.bombs[0]
        try await withServer(WebResponse(body: bomb.bytes)) { client, port in
            let small = await failure(client, local(port, limits: HTTPLimits { $0.maximumBodyBytes = 1 << 20 }))
            #expect(small?.kind == .bodyTooLarge)
        }
    }

    @Test(arguments: CompressedBody.bombs)
    func aCompressedBodyIsCutOffAtItsDecompressedSize(bomb: CompressedBody) async throws {
        #expect(bomb.bytes.count < 1 << 18)
        let response = WebResponse(headers: [WebHeader("Content-Encoding", bomb.encoding)], body: bomb.bytes)
        try await withServer(response) { client, port in
            let failure = await failure(client, local(port, limits: HTTPLimits { $0.maximumBodyBytes = 1 << 20 }))
            #expect(failure?.kind == .bodyTooLarge)
        }
    }

    @Test func aBodyThatIsTooDenseIsCutOffLongBeforeTheSizeLimit() async throws {
        let bomb = try #require(CompressedBody.bombs.last)
        let response = WebResponse(headers: [WebHeader("Content-Encoding", bomb.encoding)], body: bomb.bytes)
        try await withServer(response) { client, port in
            let limits = HTTPLimits { $0.maximumBodyBytes = 1 << 30 }
            let failure = await failure(client, local(port, limits: limits))
            #expect(failure?.kind == .bodyTooDense)
            #expect(failure?.message.contains("200 times") == true)
        }
    }

    @Test func noCookieIsEverSentBack() async throws {
        try await withServer { request in
            WebResponse(headers: [WebHeader("Set-Cookie", "a=b; Path=/")], text: request.header("Cookie") ?? "none")
        } _: { client, port in
            for _ in 0..<2 {
                let response = try await client.fetch(local(port))
                #expect(response.body == Data("none".utf8))
            }
        }
    }

    @Test func anAnnouncedBodyThatIsTooLargeIsNotRead() async throws {
        try await withConnections { connection in
            _ = connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
            _ = connection.waitForPeer(milliseconds: 10_000)
        } _: { client, port in
            #expect(await failure(client, local(port))?.kind == .bodyTooLarge)
        }
    }

    @Test func aBodyOfExactlyTheLimitIsTaken() async throws {
        try await withServer(WebResponse(body: Data(count: 1000))) { client, port in
            let response = try await client.fetch(local(port, limits: HTTPLimits { $0.maximumBodyBytes = 1000 }))
            #expect(response.body.count == 1000)
            let failure = await failure(client, local(port, limits: HTTPLimits { $0.maximumBodyBytes = 999 }))
            #expect(failure?.kind == .bodyTooLarge)
        }
    }

    @Test(arguments: [
        (0..<10_000).map { "X-\($0): aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" }.joined(),
        "X: " + String(repeating: "a", count: 300_000) + "\r\n",
        String(repeating: "\r\nHTTP/1.1 103 Early Hints\r\nLink: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", count: 2000),
    ])
    func endlessHeadersEndTheTransfer(headers: String) async throws {
        try await withConnections { connection in
            _ = connection.send("HTTP/1.1 103 Early Hints\r\n" + headers)
            _ = connection.waitForPeer(milliseconds: 10_000)
        } _: { client, port in
            #expect(await failure(client, local(port))?.kind == .headersTooLarge)
        }
    }

    @Test func aDrippingBodyIsGivenUp() async throws {
        try await withConnections { connection in
            guard connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n") else { return }
            while !connection.waitForPeer(milliseconds: 100), connection.send("x") {}
        } _: { client, port in
            let limits = HTTPLimits {
                $0.minimumBytesPerSecond = 1000
                $0.slowWindow = .seconds(1)
            }
            #expect(await failure(client, local(port, limits: limits))?.kind == .tooSlow)
        }
    }

    @Test func theTotalDeadlineHoldsOverAllRedirects() async throws {
        try await withConnections { connection in
            guard !connection.waitForPeer(milliseconds: 150) else { return }
            _ = connection.send(
                "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        } _: { client, port in
            let limits = HTTPLimits {
                $0.totalDeadline = .milliseconds(400)
                $0.maximumRedirects = 1000
            }
            let start = ContinuousClock.now
            #expect(await failure(client, local(port, limits: limits))?.kind == .timedOut)
            #expect(ContinuousClock.now - start >= .milliseconds(390))
        }
    }
}

extension HTTPLimits {
    /// Creates the default limits, changed by `change`.
    fileprivate init(_ change: (inout HTTPLimits) -> Void) {
        self.init()
        change(&self)
    }
}
