// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import WebServer

@Suite struct WebConditionsTests {
    private static let validators = WebValidators(entityTag: "\"a-1\"", lastModified: 784_111_777)

    private func isCurrent(_ headers: [(String, String)], method: String = "GET") -> Bool {
        let request = WebRequest(method: method, path: "/", headers: headers.map { WebHeader($0.0, $0.1) })
        return Self.validators.areCurrent(for: request)
    }

    @Test(arguments: [
        ("\"a-1\"", true), ("W/\"a-1\"", true), ("\"b\", \"a-1\"", true), ("\"b\",W/\"c\"", false), ("*", true),
        ("a-1", false), ("", false), ("\"a,1\", \"a-1\"", true), ("\"a-1", false),
    ])
    func tagsAreComparedWeakly(header: String, isCurrent: Bool) {
        #expect(self.isCurrent([("If-None-Match", header)]) == isCurrent)
    }

    @Test func aTagWinsOverADate() {
        let date = ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(isCurrent([date]))
        #expect(!isCurrent([date, ("If-None-Match", "\"b\"")]))
        #expect(isCurrent([("If-None-Match", "\"b\""), ("if-none-match", "\"a-1\"")]))
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:36 GMT", false), ("Sun, 06 Nov 1994 08:49:38 GMT", true), ("yesterday", false),
        ("Sunday, 06-Nov-94 08:49:37 GMT", false),
    ])
    func anOlderCopyIsNotCurrent(date: String, isCurrent: Bool) {
        #expect(self.isCurrent([("If-Modified-Since", date)]) == isCurrent)
    }

    @Test func onlyReadsAreConditional() {
        #expect(!isCurrent([("If-None-Match", "*")], method: "POST"))
        #expect(isCurrent([("If-None-Match", "*")], method: "HEAD"))
    }

    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_709_210_096, "Thu, 29 Feb 2024 12:34:56 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        ] as [(Int64, String)]
    )
    func datesAreWrittenAsTheyAreRead(seconds: Int64, text: String) {
        #expect(HTTPDate.text(seconds) == text)
        #expect(HTTPDate.seconds(text) == seconds)
    }
}
