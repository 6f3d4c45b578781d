// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// The answer to a request, after redirects and decompression.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The body; empty if the status has none (204, 205, 304).
    package var body: Data
    /// The URL of this answer: the target of the last redirect, or the requested URL if there was no redirect.
    package var finalURL: String
    package var hops: [RedirectHop]
    /// The version of HTTP: "1.0", "1.1", "2" or "3".
    package var httpVersion: String
    /// A Boolean value that indicates whether HTTP/2 failed, and the request was repeated by HTTP/1.1.
    package var failedHTTP2: Bool
    /// The IP address to which the client was connected: that of the proxy, if one was used, or of the origin.
    package var connectedAddress: String

    package init(
        status: Int,
        headers: HTTPHeaders,
        body: Data,
        finalURL: String,
        hops: [RedirectHop] = [],
        httpVersion: String = "1.1",
        failedHTTP2: Bool = false,
        connectedAddress: String = ""
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.finalURL = finalURL
        self.hops = hops
        self.httpVersion = httpVersion
        self.failedHTTP2 = failedHTTP2
        self.connectedAddress = connectedAddress
    }
}
