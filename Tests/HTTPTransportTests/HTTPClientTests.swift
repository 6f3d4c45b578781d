// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Synchronization
import TestSupport
import Testing
import WebServer

@testable import HTTPTransport

@Suite(.timeLimit(.minutes(3))) struct HTTPClientTests {
    private static let configuration = HTTPClientConfiguration(
        userAgent: "Tidings/test (+http://localhost)",
        proxy: .none
    )

    /// A request that may reach loopback, where all servers of these tests are.
    private func local(_ port: Int, _ path: String = "/", limits: HTTPLimits = HTTPLimits()) -> HTTPRequest {
        HTTPRequest(url: "http://127.0.0.1:\(port)\(path)", limits: limits, allowPrivateNetworks: true)
    }

    private func withClient<Value>(_ body: (HTTPClient) async throws -> Value) async throws -> Value {
        try await withHTTPClient(configuration: Self.configuration, body)
    }

    /// The failure that a request ends with; records an issue where it succeeds.
    private func failure(_ client: HTTPClient, _ request: HTTPRequest) async -> HTTPFailure? {
        do {
            let response = try await client.fetch(request)
            Issue.record("\(request.url) answered \(response.status)")
            return nil
        } catch {
            return error
        }
    }

    // MARK: Answers

    @Test func theAnswerIsCompleteAndTheUserAgentIsSent() async throws {
        try await withWebServer { request in
            WebResponse(
                status: 203,
                headers: [WebHeader("X-A", "1"), WebHeader("ETag", "\"e\""), WebHeader("x-a", "2")],
                text:
                    "\(request.method) \(request.path) \(request.header("user-agent") ?? "") \(request.header("X-Q") ?? "")"
            )
        } _: { server in
            try await withClient { client in
                var request = local(server.port, "/a%20b")
                request.headers = [HTTPHeader("X-Q", "")]
                let response = try await client.fetch(request)
                #expect(response.status == 203)
                #expect(response.headers.values("x-A") == ["1", "2"])
                #expect(String(decoding: response.body, as: UTF8.self) == "GET /a b Tidings/test (+http://localhost) ")
                #expect(response.finalURL == request.url)
                #expect(response.hops.isEmpty)
                #expect(response.httpVersion == "1.1")
                #expect(response.connectedAddress == "127.0.0.1")
            }
        }
    }

    @Test func aConditionalRequestGetsNotModifiedWithoutBody() async throws {
        try await withWebServer { request in
            let matches = request.header("If-None-Match") == "W/\"a b\"" && request.header("If-Modified-Since") == "odd"
            return WebResponse(
                status: matches ? 304 : 200,
                headers: [WebHeader("ETag", "W/\"a b\"")],
                body: Data("x".utf8)
            )
        } _: { server in
            try await withClient { client in
                var request = local(server.port)
                let first = try await client.fetch(request)
                #expect(first.body == Data("x".utf8))
                request.headers = [HTTPHeader("If-None-Match", "W/\"a b\""), HTTPHeader("If-Modified-Since", "odd")]
                let response = try await client.fetch(request)
                #expect(response.status == 304)
                #expect(response.body.isEmpty)
                #expect(response.headers["etag"] == "W/\"a b\"")
            }
        }
    }

    @Test func aBodyIsSentAsItIs() async throws {
        try await withWebServer { request in
            WebResponse(headers: [WebHeader("X-Type", request.header("Content-Type") ?? "none")], body: request.body)
        } _: { server in
            try await withClient { client in
                var request = local(server.port)
                request.method = "POST"
                request.body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
                let response = try await client.fetch(request)
                #expect(response.body == request.body)
                #expect(response.headers["x-type"] == "none")
            }
        }
    }

    @Test func aHeadRequestHasNoBody() async throws {
        try await withWebServer { _ in
            WebResponse(text: "body")
        } _: { server in
            try await withClient { client in
                var request = local(server.port)
                request.method = "HEAD"
                let response = try await client.fetch(request)
                #expect(response.status == 200)
                #expect(response.body.isEmpty)
                #expect(response.headers["content-length"] == "4")
            }
        }
    }

    @Test func aHeaderThatWouldBreakTheMessageIsNotSent() async throws {
        try await withClient { client in
            var request = local(1)
            request.headers = [HTTPHeader("X-A", "1\r\nX-B: 2")]
            #expect(await failure(client, request)?.kind == .protocolError)
            request.headers = [HTTPHeader("X A", "1")]
            #expect(await failure(client, request)?.kind == .protocolError)
        }
    }

    @Test func connectionsAreUsedAgain() async throws {
        let connections = Mutex(0)
        try await withRawServer { connection in
            connections.withLock { $0 += 1 }
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            while connection.send(answer), !connection.receiveHead().isEmpty {}
        } _: { server in
            try await withClient { client in
                let first = try await client.fetch(local(server.port))
                #expect(first.status == 200)
                let second = try await client.fetch(local(server.port))
                #expect(second.status == 200)
            }
        }
        #expect(connections.withLock { $0 } == 1)
    }

    @Test func twoHundredAndFiftySixTransfersRunAtATime() async throws {
        let count = 256
        let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
        try await withWebServer { request in
            // Nobody is answered before everybody is here.
            await withCheckedContinuation { continuation in
                let all = waiting.withLock { waiting -> [CheckedContinuation<Void, Never>] in
                    waiting.append(continuation)
                    return waiting.count == count ? waiting : []
                }
                for continuation in all { continuation.resume() }
            }
            return WebResponse(text: request.path)
        } _: { server in
            try await withClient { client in
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for index in 0..<count {
                        group.addTask {
                            let response = try await client.fetch(local(server.port, "/\(index)"))
                            return response.body == Data("/\(index)".utf8)
                        }
                    }
                    for try await isRight in group { #expect(isRight) }
                }
            }
        }
    }

    // MARK: Limits

    @Test(arguments: CompressedBody.greetings)
    func aCompressedBodyIsDecompressed(compressed: CompressedBody) async throws {
        try await withWebServer { request in
            let isOffered = request.header("Accept-Encoding")?.contains(compressed.encoding) == true
            let headers = [WebHeader("Content-Encoding", compressed.encoding)]
            return isOffered ? WebResponse(headers: headers, body: compressed.bytes) : WebResponse(status: 406)
        } _: { server in
            try await withClient { client in
                let response = try await client.fetch(local(server.port))
                #expect(response.body == Data(String(repeating: "hello ", count: 20).utf8))
            }
        }
    }

    @Test(arguments: CompressedBody.greetings)
    func aCompressedBodyThatEndsBeforeItsEndIsAFailure(compressed: CompressedBody) async throws {
        try await withWebServer { _ in
            let half = compressed.bytes.prefix(compressed.bytes.count - 3)
            return WebResponse(headers: [WebHeader("Content-Encoding", compressed.encoding)], body: Data(half))
        } _: { server in
            try await withClient { client in
                // A gzip body lacks its checksum then, the others some of their text.
                #expect(await failure(client, local(server.port))?.kind == .badContentCoding)
            }
        }
    }

    @Test(arguments: CompressedBody.greetings)
    func whatFollowsACompressedBodyIsIgnored(compressed: CompressedBody) async throws {
        // zlib's own format has no room for more: browsers read it to its end as well.
        try await withWebServer { _ in
            let body = compressed.bytes + Data("<!-- served by a cache -->".utf8)
            return WebResponse(headers: [WebHeader("Content-Encoding", compressed.encoding)], body: body)
        } _: { server in
            try await withClient { client in
                let response = try await client.fetch(local(server.port))
                #expect(response.body == Data(String(repeating: "hello ", count: 20).utf8))
            }
        }
    }

    @Test func codingsOnTopOfEachOtherAndMembersBehindEachOtherAreDecoded() async throws {
        let gzip = try #require(CompressedBody.greetings.first).bytes
        try await withWebServer { request in
            switch request.path {
            case "/members": WebResponse(headers: [WebHeader("Content-Encoding", "gzip")], body: gzip + gzip)
            case "/text": WebResponse(headers: [WebHeader("Content-Encoding", "utf-8")], body: Data("plain".utf8))
            case "/empty": WebResponse(headers: [WebHeader("Content-Encoding", "gzip")], body: Data())
            default: WebResponse(headers: [WebHeader("Content-Encoding", "gzip")], body: Data("plain".utf8))
            }
        } _: { server in
            try await withClient { client in
                let members = try await client.fetch(local(server.port, "/members"))
                #expect(members.body == Data(String(repeating: "hello ", count: 40).utf8))
                #expect(try await client.fetch(local(server.port, "/text")).body == Data("plain".utf8))
                #expect(try await client.fetch(local(server.port, "/empty")).body.isEmpty)
                #expect(await failure(client, local(server.port, "/lie"))?.kind == .badContentCoding)
            }
        }
    }

    @Test(arguments: CompressedBody.bombs)
    func aCompressedBodyIsCutOffAtItsDecompressedSize(bomb: CompressedBody) async throws {
        #expect(bomb.bytes.count < 1 << 18)
        try await withWebServer { _ in
            WebResponse(headers: [WebHeader("Content-Encoding", bomb.encoding)], body: bomb.bytes)
        } _: { server in
            try await withClient { client in
                let failure = await failure(client, local(server.port, limits: HTTPLimits(maximumBodyBytes: 1 << 20)))
                #expect(failure?.kind == .bodyTooLarge)
            }
        }
    }

    @Test func aBodyThatIsTooDenseIsCutOffLongBeforeTheSizeLimit() async throws {
        let bomb = try #require(CompressedBody.bombs.last)
        try await withWebServer { _ in
            WebResponse(headers: [WebHeader("Content-Encoding", bomb.encoding)], body: bomb.bytes)
        } _: { server in
            try await withClient { client in
                let limits = HTTPLimits(maximumBodyBytes: 1 << 30)
                let failure = await failure(client, local(server.port, limits: limits))
                #expect(failure?.kind == .bodyTooDense)
                #expect(failure?.message.contains("200 times") == true)
            }
        }
    }

    @Test func noCookieIsEverSentBack() async throws {
        try await withWebServer { request in
            WebResponse(headers: [WebHeader("Set-Cookie", "a=b; Path=/")], text: request.header("Cookie") ?? "none")
        } _: { server in
            try await withClient { client in
                for _ in 0..<2 {
                    let response = try await client.fetch(local(server.port))
                    #expect(response.body == Data("none".utf8))
                }
            }
        }
    }

    @Test func anAnnouncedBodyThatIsTooLargeIsNotRead() async throws {
        try await withRawServer { connection in
            _ = connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
            _ = connection.waitForPeer(milliseconds: 10_000)
        } _: { server in
            try await withClient { client in
                #expect(await failure(client, local(server.port))?.kind == .bodyTooLarge)
            }
        }
    }

    @Test func aBodyOfExactlyTheLimitIsTaken() async throws {
        try await withWebServer { _ in
            WebResponse(body: Data(count: 1000))
        } _: { server in
            try await withClient { client in
                let response = try await client.fetch(local(server.port, limits: HTTPLimits(maximumBodyBytes: 1000)))
                #expect(response.body.count == 1000)
                let failure = await failure(client, local(server.port, limits: HTTPLimits(maximumBodyBytes: 999)))
                #expect(failure?.kind == .bodyTooLarge)
            }
        }
    }

    @Test(arguments: [
        (0..<10_000).map { "X-\($0): aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" }.joined(),
        "X: " + String(repeating: "a", count: 300_000) + "\r\n",
        String(repeating: "\r\nHTTP/1.1 103 Early Hints\r\nLink: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", count: 2000),
    ])
    func endlessHeadersEndTheTransfer(headers: String) async throws {
        try await withRawServer { connection in
            _ = connection.send("HTTP/1.1 103 Early Hints\r\n" + headers)
            _ = connection.waitForPeer(milliseconds: 10_000)
        } _: { server in
            try await withClient { client in
                #expect(await failure(client, local(server.port))?.kind == .headersTooLarge)
            }
        }
    }

    @Test func aDrippingBodyIsGivenUp() async throws {
        try await withRawServer { connection in
            guard connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n") else { return }
            while !connection.waitForPeer(milliseconds: 100), connection.send("x") {}
        } _: { server in
            try await withClient { client in
                let limits = HTTPLimits(minimumBytesPerSecond: 1000, slowWindow: .seconds(1))
                #expect(await failure(client, local(server.port, limits: limits))?.kind == .tooSlow)
            }
        }
    }

    @Test func theTotalDeadlineHoldsOverAllRedirects() async throws {
        try await withRawServer { connection in
            guard !connection.waitForPeer(milliseconds: 150) else { return }
            _ = connection.send(
                "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
        } _: { server in
            try await withClient { client in
                let limits = HTTPLimits(totalDeadline: .milliseconds(400), maximumRedirects: 1000)
                let start = ContinuousClock.now
                #expect(await failure(client, local(server.port, limits: limits))?.kind == .timedOut)
                #expect(ContinuousClock.now - start >= .milliseconds(390))
            }
        }
    }

    // MARK: Redirects

    @Test func redirectsAreFollowedAndRecorded() async throws {
        try await withWebServer { request in
            switch request.path {
            case "/a": WebResponse(status: 301, headers: [WebHeader("Location", "/b")])
            case "/b": WebResponse(status: 302, headers: [WebHeader("Location", "c?x=1")])
            default: WebResponse(text: request.query("x") ?? "")
            }
        } _: { server in
            try await withClient { client in
                let response = try await client.fetch(local(server.port, "/a"))
                let base = "http://127.0.0.1:\(server.port)"
                #expect(response.body == Data("1".utf8))
                #expect(response.finalURL == base + "/c?x=1")
                #expect(
                    response.hops == [
                        RedirectHop(from: base + "/a", status: 301, to: base + "/b"),
                        RedirectHop(from: base + "/b", status: 302, to: base + "/c?x=1"),
                    ]
                )
            }
        }
    }

    @Test func aRedirectLoopEnds() async throws {
        let requests = Mutex(0)
        try await withWebServer { _ in
            requests.withLock { $0 += 1 }
            return WebResponse(status: 302, headers: [WebHeader("Location", "/")])
        } _: { server in
            try await withClient { client in
                #expect(await failure(client, local(server.port))?.kind == .tooManyRedirects)
            }
        }
        #expect(requests.withLock { $0 } == 6)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:70/x"])
    func aRedirectToAnotherSchemeIsRefused(location: String) async throws {
        try await withWebServer { _ in
            WebResponse(status: 302, headers: [WebHeader("Location", location)])
        } _: { server in
            try await withClient { client in
                #expect(await failure(client, local(server.port))?.kind == .refusedScheme)
            }
        }
    }

    @Test func secretsAreNotShownToAnotherHost() async throws {
        let handler: HTTPServer.Handler = { request in
            WebResponse(
                text: ["Authorization", "X-Key", "Cookie", "If-None-Match"].map { request.header($0) ?? "-" }.joined()
            )
        }
        try await withWebServer(handler: handler) { other in
            try await withWebServer { request in
                let target = request.path == "/same" ? "/end" : "http://127.0.0.1:\(other.port)/"
                guard request.path != "/end" else { return await handler(request) }
                return WebResponse(status: 307, headers: [WebHeader("Location", target)])
            } _: { server in
                try await withClient { client in
                    var request = local(server.port, "/other")
                    request.headers = [
                        HTTPHeader("Authorization", "a"), HTTPHeader("X-Key", "k"), HTTPHeader("Cookie", "c"),
                        HTTPHeader("If-None-Match", "e"),
                    ]
                    let elsewhere = try await client.fetch(request)
                    #expect(elsewhere.body == Data("---e".utf8))
                    request.url = local(server.port, "/same").url
                    let stayed = try await client.fetch(request)
                    #expect(stayed.body == Data("akce".utf8))
                }
            }
        }
    }

    @Test func seeOtherTurnsAPostIntoAGet() async throws {
        try await withWebServer { request in
            guard request.path == "/end" else {
                return WebResponse(status: 303, headers: [WebHeader("Location", "/end")])
            }
            return WebResponse(text: "\(request.method) \(request.body.count)")
        } _: { server in
            try await withClient { client in
                var request = local(server.port)
                request.method = "POST"
                request.body = Data("abc".utf8)
                let answer = try await client.fetch(request)
                #expect(answer.body == Data("GET 0".utf8))
            }
        }
    }

    // MARK: The address guard

    @Test(arguments: ["127.0.0.1", "localhost", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"])
    func thisMachineIsNotReachedUnlessAllowed(host: String) async throws {
        let requests = Mutex(0)
        try await withWebServer { _ in
            requests.withLock { $0 += 1 }
            return WebResponse()
        } _: { server in
            try await withClient { client in
                let failure = await failure(client, HTTPRequest(url: "http://\(host):\(server.port)/"))
                #expect(failure?.kind == .refusedAddress)
                #expect(failure?.message.contains("not public") == true)
            }
        }
        #expect(requests.withLock { $0 } == 0)
    }

    @Test func anOpenConnectionOfAnAllowedRequestDoesNotServeAGuardedOne() async throws {
        try await withWebServer { _ in
            WebResponse()
        } _: { server in
            try await withClient { client in
                var request = local(server.port)
                let answer = try await client.fetch(request)
                #expect(answer.status == 200)
                request.allowPrivateNetworks = false
                #expect(await failure(client, request)?.kind == .refusedAddress)
            }
        }
    }

    @Test func aNameIsCheckedByTheAddressesThatItHasWhenItIsConnectedTo() async throws {
        try await withWebServer { _ in
            WebResponse()
        } _: { server in
            let names = ["rebound.test:\(server.port):192.0.2.1,127.0.0.1,::1"]
            let configuration = HTTPClientConfiguration(userAgent: "t", proxy: .none, knownNames: names)
            try await withHTTPClient(configuration: configuration) { client in
                var request = HTTPRequest(url: "http://rebound.test:\(server.port)/")
                #expect(await failure(client, request)?.kind == .refusedAddress)
                // The name is as private for whoever may go there, but for the address that nobody has.
                request.allowPrivateNetworks = true
                let response = try await client.fetch(request)
                #expect(response.status == 200)
                request.allowPrivateNetworks = false
                #expect(await failure(client, request)?.kind == .refusedAddress)
            }
        }
    }

    @Test func anAddressThatIsAllowedByNameIsAskedWithoutAllPrivateNetworks() async throws {
        try await withWebServer { _ in
            WebResponse()
        } _: { server in
            let loopback = try #require(IPAddress("127.0.0.1"))
            let configuration = HTTPClientConfiguration(userAgent: "t", proxy: .none, allowedAddresses: [loopback])
            try await withHTTPClient(configuration: configuration) { client in
                let answer = try await client.fetch(HTTPRequest(url: "http://127.0.0.1:\(server.port)/"))
                #expect(answer.status == 200)
                let other = HTTPRequest(url: "http://127.0.0.2:\(server.port)/")
                #expect(await failure(client, other)?.kind == .refusedAddress)
            }
        }
    }

    @Test func aRedirectToTheMetadataOfACloudIsRefusedAlsoWherePrivateNetworksAreAllowed() async throws {
        try await withWebServer { _ in
            WebResponse(status: 302, headers: [WebHeader("Location", "http://169.254.169.254/latest/meta-data/")])
        } _: { server in
            try await withClient { client in
                #expect(await failure(client, local(server.port))?.kind == .refusedAddress)
            }
        }
    }

    @Test func aHeaderIsPrintedWithoutItsValue() {
        let header = HTTPHeader("Authorization", "Bearer 1234")
        var dumped = ""
        dump(HTTPRequest(url: "http://127.0.0.1/", headers: [header]), to: &dumped)
        #expect(!"\(header) \(header.self) \([header])\(dumped)\(String(reflecting: header))".contains("1234"))
    }

    @Test func behindAProxyANumericPrivateAddressIsRefused() async throws {
        try await withWebServer { request in
            WebResponse(text: "through the proxy")
        } _: { proxy in
            let configuration = HTTPClientConfiguration(userAgent: "t", proxy: .url("http://127.0.0.1:\(proxy.port)"))
            try await withHTTPClient(configuration: configuration) { client in
                // The proxy's own address is configured, so it may be private; it finds the name for us.
                let response = try await client.fetch(HTTPRequest(url: "http://name.invalid/"))
                #expect(response.body == Data("through the proxy".utf8))
                let failure = await failure(client, HTTPRequest(url: "http://169.254.169.254/"))
                #expect(failure?.kind == .refusedAddress)
            }
        }
    }

    // MARK: Failures

    @Test func eachFailureHasItsKind() async throws {
        try await withRawServer { connection in
            if connection.requestHead.contains("/garbage") { _ = connection.send("what?\r\n\r\n") }
            if connection.requestHead.contains("/short") {
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            }
            if connection.requestHead.contains("/encoding") {
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc")
            }
        } _: { server in
            try await withClient { client in
                #expect(await failure(client, local(server.port, "/nothing"))?.kind == .connectionFailed)
                #expect(await failure(client, local(server.port, "/short"))?.kind == .connectionFailed)
                #expect(await failure(client, local(server.port, "/garbage"))?.kind == .protocolError)
                #expect(await failure(client, local(server.port, "/encoding"))?.kind == .badContentCoding)
                var request = local(server.port)
                // No label is that long (RFC 1035 §2.3.4), so no name server is asked.
                request.url = "http://\(String(repeating: "a", count: 70)).invalid/"
                #expect(await failure(client, request)?.kind == .nameNotResolved)
                request.url = "http://me:secret@127.0.0.1:1/"
                let refused = await failure(client, request)
                #expect(refused?.kind == .connectionFailed)
                #expect(refused?.url == "http://127.0.0.1:1/")
                request.url = "no url"
                #expect(await failure(client, request)?.kind == .badURL)
                request.url = "file:///etc/passwd"
                #expect(await failure(client, request)?.kind == .refusedScheme)
            }
        }
    }

    @Test func anOriginWithoutTLSIsNoSecureOne() async throws {
        try await withWebServer { _ in
            WebResponse()
        } _: { server in
            try await withClient { client in
                var request = local(server.port)
                request.url = "https://127.0.0.1:\(server.port)/"
                #expect(await failure(client, request)?.kind == .tls)
            }
        }
    }

    // MARK: Ends

    @Test func aCancelledTaskCancelsItsTransfer() async throws {
        try await withHeldServer { server, arrived in
            try await withClient { client in
                let request = local(server.port)
                let task = Task { () -> HTTPFailure.Kind? in
                    do throws(HTTPFailure) {
                        _ = try await client.fetch(request)
                        return nil
                    } catch {
                        return error.kind
                    }
                }
                await arrived()
                task.cancel()
                #expect(await task.value == .cancelled)
            }
        }
    }

    @Test func aTaskThatIsCancelledAlreadyGetsCancelled() async throws {
        try await withHeldServer { server, _ in
            try await withClient { client in
                let request = local(server.port)
                let kind = await withTaskGroup(of: HTTPFailure.Kind?.self) { group in
                    group.cancelAll()
                    group.addTask {
                        do throws(HTTPFailure) {
                            _ = try await client.fetch(request)
                            return nil
                        } catch {
                            return error.kind
                        }
                    }
                    return await group.next() ?? nil
                }
                #expect(kind == .cancelled)
            }
        }
    }

    @Test func theEndOfTheScopeCompletesWhatIsUnderWay() async throws {
        try await withHeldServer { server, arrived in
            let results = Mutex<[HTTPFailure.Kind?]>([])
            let client = try await withClient { client in
                for _ in 0..<3 {
                    client.start(local(server.port)) { result in
                        guard case .failure(let failure) = result else { return results.withLock { $0.append(nil) } }
                        results.withLock { $0.append(failure.kind) }
                    }
                }
                await arrived()
                return client
            }
            #expect(results.withLock { $0 } == [.cancelled, .cancelled, .cancelled])
            #expect(await failure(client, local(server.port))?.kind == .cancelled)
        }
    }

    @Test func aThreadOfItsOwnMayUseTheClient() async throws {
        try await withWebServer { _ in
            WebResponse(text: "ok")
        } _: { server in
            let request = local(server.port)
            let body: Data? = await withCheckedContinuation { continuation in
                let thread = Thread {
                    let body = withHTTPClient(configuration: Self.configuration) { client in
                        let answers = Mutex<Data?>(nil)
                        let answered = DispatchSemaphore(value: 0)
                        client.start(request) { result in
                            answers.withLock { $0 = (try? result.get())?.body }
                            answered.signal()
                        }
                        answered.wait()
                        return answers.withLock { $0 }
                    }
                    continuation.resume(returning: body)
                }
                thread.start()
            }
            #expect(body == Data("ok".utf8))
        }
    }

    // MARK: Support

    /// Runs `body` with a server that never answers by itself, and a wait for the first request.
    private func withHeldServer(
        _ body: (HTTPServer, _ arrived: () async -> Void) async throws -> Void
    ) async throws {
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        try await withWebServer { _ in
            arrive.yield()
            // Ends by the cancellation that stopping the server brings.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return WebResponse()
        } _: { server in
            try await body(server) {
                for await _ in arrivals { break }
            }
        }
    }
}
