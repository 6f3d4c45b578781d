// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import Testing
import WidgetSchema

@testable import SourceFetching

@Suite struct SourceInspectionTests {
    private static let url = "https://example.org/data"

    private func inspect(_ body: String, type: String = "application/json", status: Int = 200) -> SourceInspection {
        let headers = HTTPHeaders([HTTPHeader("Content-Type", type)])
        let response = HTTPResponse(status: status, headers: headers, body: Data(body.utf8), finalURL: Self.url)
        return SourceInspection(response, received: Instant(milliseconds: 1_795_000_000_000))
    }

    @Test func aFeedIsReadAsAFeedWithItsTitle() {
        let text = "<rss version=\"2.0\"><channel><title>Blog</title><item><title>A</title></item></channel></rss>"
        let found = inspect(text, type: "application/rss+xml")
        #expect(found.readings.map(\.parsing.kind) == [.feed])
        #expect(found.readings.first?.title == "Blog")
        #expect(found.readings.first?.content.count == 1)
    }

    @Test func aListOfObjectsBecomesRowsWithTheUsualNames() {
        let found = inspect(
            "{\"total\": 2, \"data\": {\"builds\": [{\"id\": 7, \"branch\": \"main\", \"status\": \"ok\","
                + " \"html_url\": \"https://example.org/7\", \"created_at\": \"2026-11-22T10:00:00Z\"},"
                + " {\"id\": 8, \"branch\": \"docs\", \"status\": \"ok\", \"html_url\": \"https://example.org/8\"}]}}"
        )
        let rows = found.readings.first { $0.parsing.kind == .json }
        #expect(
            rows?.parsing.options == [
                "list": "/data/builds", "id": "/id", "title": "/branch", "subtitle": "/status", "link": "/html_url",
                "date": "/created_at",
            ]
        )
        #expect(rows?.content.count == 2)
    }

    @Test func aFlatObjectBecomesFacts() {
        let found = inspect("{\"city\": \"Lisbon\", \"country\": \"Portugal\"}")
        #expect(found.readings.map(\.parsing.kind) == [.keyValue])
        #expect(found.readings.first?.content.count == 2)
    }

    @Test(arguments: [
        ("<p>Hello", "text/html", 200), ("{\"a\":", "application/json", 200), ("[]", "application/json", 500),
    ])
    func whatNoWidgetCanShowHasAReason(body: String, type: String, status: Int) {
        let found = inspect(body, type: type, status: status)
        #expect(found.readings.isEmpty)
        #expect(found.problem?.isEmpty == false)
    }
}
