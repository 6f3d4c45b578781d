// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import TestSupport
import Testing
import WidgetSchema

@testable import SourceFetching

@Suite struct FailureExplanationTests {
    @Test(arguments: [
        (404, [], "The server says this page does not exist (404)."),
        (410, [], "The server says this page is permanently gone (410)."),
        (401, [], "The server requires a valid sign-in (401)."),
        (403, [], "The server does not allow access to this page (403)."),
        (403, [HTTPHeader("X-RateLimit-Remaining", "0")], "The server allows no more requests for now (403)."),
        (429, [HTTPHeader("Retry-After", "3600")], "The server asks for fewer requests (429)."),
        (500, [], "The server has an internal error (500)."), (503, [], "The server is not available now (503)."),
        (503, [HTTPHeader("Retry-After", "60")], "The server is busy and asks to wait (503)."),
        (418, [], "The server rejects the request (418)."), (599, [], "The server reports a problem (599)."),
        (204, [], "The server sent an answer without usable content (204)."),
        (304, [], "The server says that nothing changed, but nothing was loaded before (304)."),
        (301, [], "The server redirects without a usable address (301)."),
    ])
    func aStatusIsExplainedInOneSentence(_ status: Int, _ headers: [HTTPHeader], _ sentence: String) {
        #expect(explanation(answer(status, "", headers)) == sentence)
    }

    @Test func anUnreadableAnswerIsExplainedByTheKindOfTheWidget() {
        #expect(explanation(answer(200, "{}")) == "The server's answer cannot be read as a feed.")
        let page = answer(200, "<html><body>Sign in</body></html>", [HTTPHeader("Content-Type", "text/html")])
        #expect(explanation(page) == "The server's answer is a web page, and cannot be read as a feed.")
        let limited = answer(200, "{\"error\":true,\"reason\":\"RateLimited\"}")
        #expect(explanation(limited, kind: .keyValue) == "The server asks for fewer requests.")
    }

    @Test func aRedirectToAnotherHostIsNamed() {
        let moved = answer(404, "", from: "https://new.example/feed")
        let sentence = "new.example, to which the source redirects, says this page does not exist (404)."
        #expect(explanation(moved) == sentence)
        let answer = answer(404, "", from: "https://example.org/new")
        #expect(explanation(answer) == "The server says this page does not exist (404).")
    }

    @Test(arguments: HTTPFailure.Kind.allCases)
    func everyFailureWithoutAnAnswerIsOneShortSentence(_ kind: HTTPFailure.Kind) throws {
        let url = "https://user@example.org/feed?key=secret"
        let failure = HTTPFailure(kind: kind, url: url, message: "m", curlCode: 56)
        let text = try #require(explanation(.failure(failure)))
        #expect(text.hasSuffix(".") && text.count < 90 && text.first?.isUppercase == true)
        #expect(!text.contains("secret") && !text.contains("user@"))
    }

    @Test func failedConnectionsDiffer() {
        func sentence(_ kind: HTTPFailure.Kind, _ code: Int) -> String? {
            let url = "https://example.org/feed"
            return explanation(.failure(HTTPFailure(kind: kind, url: url, message: "m", curlCode: code)))
        }
        #expect(sentence(.connectionFailed, 7) == "The server cannot be reached.")
        #expect(sentence(.connectionFailed, 56) == "The connection to example.org broke.")
        #expect(sentence(.nameNotResolved, 6) == "No server can be found under the name example.org.")
        #expect(sentence(.nameNotResolved, 5) == "The proxy cannot be found.")
        #expect(sentence(.tls, 60) == "The server has no valid certificate.")
        #expect(sentence(.tls, 35) == "No secure connection to example.org is possible.")
        #expect(sentence(.timedOut, 28) == "The server did not answer in time.")
        #expect(sentence(.refusedAddress, 7) == "The server is in a network that the configuration does not allow.")
    }

    @Test func aMissingFileIsExplained() throws {
        let reader = OutcomeReader(lease: .sample("file:missing.json"), answeredAt: Instant(milliseconds: 0))
        let failure = try #require(reader.outcomeOfFile(below: "/proc/self/fdinfo").data.failure)
        #expect(failure.explanation == "The file cannot be read: No such file or directory.")
    }

    private func answer(
        _ status: Int,
        _ body: String,
        _ headers: [HTTPHeader] = [],
        from url: String = "https://example.org/feed"
    ) -> Result<HTTPResponse, HTTPFailure> {
        .success(HTTPResponse(status: status, headers: HTTPHeaders(headers), body: Data(body.utf8), finalURL: url))
    }

    private func explanation(_ result: Result<HTTPResponse, HTTPFailure>, kind: WidgetKind = .feed) -> String? {
        let lease = Lease.sample("https://example.org/feed", kind)
        let reader = OutcomeReader(lease: lease, answeredAt: Instant(milliseconds: 0))
        return reader.outcome(of: result).data.failure?.explanation
    }
}
