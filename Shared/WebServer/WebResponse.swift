// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// The answer of a handler.
///
/// A 304 is sent without its body, but with the body's length: give it the body of the 200 that it stands for
/// (RFC 9110 §8.6), because libmicrohttpd states a length in any case.
package struct WebResponse: Sendable {
    package var status: Int
    package var headers: [WebHeader]
    package var body: Data

    package init(status: Int = 200, headers: [WebHeader] = [], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int = 200, headers: [WebHeader] = [], text: String, contentType: String = "text/plain") {
        self.init(
            status: status,
            headers: headers + [WebHeader("Content-Type", "\(contentType); charset=utf-8")],
            body: Data(text.utf8)
        )
    }

    /// Whether the status allows a body, or at least its length (RFC 9110 §6.4.1).
    var describesBody: Bool {
        status >= 200 && status != 204
    }
}
