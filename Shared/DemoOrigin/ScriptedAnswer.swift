// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation

/// One answer of a scripted page.
public struct ScriptedAnswer: Sendable {
    public var status: Int
    public var headers: [String: String]
    public var body: Data

    public init(status: Int = 200, headers: [String: String] = [:], body: String = "") {
        self.init(status: status, headers: headers, bytes: Data(body.utf8))
    }

    public init(status: Int = 200, headers: [String: String] = [:], bytes: Data) {
        self.status = status
        self.headers = headers
        self.body = bytes
    }

    /// Returns an answer that contains a feed, with status 200 and without validators such as `ETag`.
    public static func feed(_ text: String, headers: [String: String] = [:]) -> ScriptedAnswer {
        let type = ["Content-Type": "application/rss+xml; charset=utf-8"]
        return ScriptedAnswer(headers: type.merging(headers) { _, given in given }, body: text)
    }
}
