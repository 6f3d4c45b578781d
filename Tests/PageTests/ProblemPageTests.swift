// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WebServer

@testable import Gateway

@Suite struct ProblemPageTests {
    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"

    @Test(arguments: [
        (browser, true), ("text/html", true), ("TEXT/HTML;q=0.5, */*", true),
        ("text/html, application/json;q=0.9", true),
        ("*/*", false), ("", false), ("application/json", false), ("text/html, application/json", false),
        ("text/html;q=0", false), ("image/avif,image/webp,*/*;q=0.8", false),
    ])
    func onlyClientsThatPreferHTMLGetAPage(_ accept: String, _ expected: Bool) {
        #expect(ProblemPage.prefersPage(request(accept)) == expected)
    }

    @Test func programsThatWriteGetJSON() {
        #expect(!ProblemPage.prefersPage(request(Self.browser, method: "POST")))
    }

    @Test func thePageHasTheStatusTheHeadersAndTheTextOfTheProblem() throws {
        let problem = Problem(429, "slow", "Too many requests.", "Wait.", headers: [WebHeader("Retry-After", "7")])
        let page = try #require(shown(problem))
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(page.status == 429)
        #expect(text.contains("<h1>Too many requests.</h1>") && text.contains("Wait."))
        #expect(text.contains("href=\"/base/page/tidings.css\"") && text.contains("href=\"/base/\""))
        #expect(!text.contains("<script"))
        #expect(header("Retry-After", page) == "7")
        #expect(header("Content-Type", page) == "text/html; charset=utf-8")
        #expect(header("Cache-Control", page) == "no-store")
        #expect(header("Vary", page) == "Accept")
        #expect(header("Content-Security-Policy", page)?.hasPrefix("default-src 'none'") == true)
    }

    @Test func textOfARequestNeverBecomesMarkup() throws {
        let page = try #require(shown(.notFound("'<script>alert(1)</script>\" onload='x'&'"), path: "/<img src=x>"))
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(!text.contains("<script>") && !text.contains("<img"))
        #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39;&amp;"))
        #expect(text.contains("There is nothing at this address."))
    }

    @Test func aResponseWithoutAProblemStaysAsItIs() {
        let response = WebResponse(headers: [WebHeader("Content-Type", "application/json")], body: Data("{}".utf8))
        #expect(ProblemPage.page(for: response, to: request(Self.browser), basePath: "") == nil)
    }

    private func shown(_ problem: Problem, path: String = "/nothing") -> WebResponse? {
        ProblemPage.page(for: problem.response(instance: path), to: request(Self.browser), basePath: "/base")
    }

    private func header(_ name: String, _ response: WebResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    private func request(_ accept: String, method: String = "GET") -> WebRequest {
        WebRequest(method: method, path: "/nothing", headers: [WebHeader("Accept", accept)])
    }
}
