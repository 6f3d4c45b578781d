// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// The answer of a handler.
///
/// A response with the status 304 needs the same body as the response with the status 200, or ``Content/omitted``. The
/// body is not sent, but libmicrohttpd sends its length, which must be the same for both (RFC 9110 §8.6).
package struct WebResponse: Sendable {
    package enum Content: Sendable {
        /// The body consists of bytes that are copied for this response.
        case data(Data)
        /// The body consists of bytes that are sent without a copy.
        case shared(SharedBytes)
        /// The body is a stream, which is sent until its `finish` is called or its reader is gone.
        ///
        /// A stream must not be the answer to a HEAD request.
        case stream(WebStream)
        /// The body was not made, and its length is unknown; only for the status 304 and for HEAD requests.
        case omitted
    }

    package var status: Int
    package var headers: [WebHeader]
    package var content: Content

    package init(status: Int = 200, headers: [WebHeader] = [], content: Content) {
        self.status = status
        self.headers = headers
        self.content = content
    }

    package init(status: Int = 200, headers: [WebHeader] = [], body: Data = Data()) {
        self.init(status: status, headers: headers, content: .data(body))
    }

    package init(status: Int = 200, headers: [WebHeader] = [], text: String, contentType: String = "text/plain") {
        self.init(
            status: status,
            headers: headers + [WebHeader("Content-Type", "\(contentType); charset=utf-8")],
            body: Data(text.utf8)
        )
    }

    /// The body's bytes; empty for a stream and for an omitted body.
    package var body: Data {
        get {
            switch content {
            case .data(let data): data
            case .shared(let bytes): bytes.data
            case .stream, .omitted: Data()
            }
        }
        set { content = .data(newValue) }
    }

    /// The body's length in bytes; 0 for a stream and for an omitted body.
    package var bodyBytes: Int {
        switch content {
        case .data(let data): data.count
        case .shared(let bytes): bytes.count
        case .stream, .omitted: 0
        }
    }

    /// A Boolean value that indicates whether the response has a body, or at least the length of one.
    ///
    /// False for the statuses 1xx and 204, and true for all others. A response with the status 304 has only the length
    /// (RFC 9110 §6.4.1).
    var describesBody: Bool {
        status >= 200 && status != 204
    }
}
