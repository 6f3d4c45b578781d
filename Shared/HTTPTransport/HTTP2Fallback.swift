// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCurl

/// The decision of a transfer between HTTP/2 and HTTP/1.1.
///
/// Some servers offer HTTP/2 and break its rules. After such an error, the request is repeated once by HTTP/1.1.
struct HTTP2Fallback {
    let avoidsHTTP2: Bool
    /// A Boolean value that indicates whether HTTP/2 has failed, so that HTTP/1.1 is used.
    private(set) var isActive = false

    init(avoidsHTTP2: Bool) { self.avoidsHTTP2 = avoidsHTTP2 }

    /// The highest version of HTTP for the next hop, as a value of `CURLOPT_HTTP_VERSION`.
    var version: Int { Int(avoidsHTTP2 || isActive ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS) }

    /// Returns whether a hop that ended with `code` must be repeated by HTTP/1.1; if so, the next hop uses it.
    ///
    /// `isSecure` is true for TLS; other connections never use HTTP/2.
    mutating func begins(after code: CURLcode, isSecure: Bool) -> Bool {
        guard isSecure, !avoidsHTTP2, !isActive else { return false }
        switch code {
        case CURLE_HTTP2, CURLE_HTTP2_STREAM,
            // libcurl reports many errors of HTTP/2 as those of a connection that the server has closed.
            CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            isActive = true
        default: break
        }
        return isActive
    }
}
