// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
import WebServer

/// One answer of a scripted page.
package struct ScriptedAnswer: Sendable {
    package var status: Int
    package var headers: [String: String]
    package var body: Data

    package init(status: Int = 200, headers: [String: String] = [:], body: String = "") {
        self.init(status: status, headers: headers, bytes: Data(body.utf8))
    }

    package init(status: Int = 200, headers: [String: String] = [:], bytes: Data) {
        self.status = status
        self.headers = headers
        self.body = bytes
    }

    /// Returns an answer that contains a feed, with status 200 and without validators such as `ETag`.
    package static func feed(_ text: String, headers: [String: String] = [:]) -> ScriptedAnswer {
        let type = ["Content-Type": "application/rss+xml; charset=utf-8"]
        return ScriptedAnswer(headers: type.merging(headers) { _, given in given }, body: text)
    }

    var response: WebResponse {
        WebResponse(
            status: status,
            headers: headers.sorted { $0.key < $1.key }.map { WebHeader($0.key, $0.value) },
            body: body
        )
    }
}
