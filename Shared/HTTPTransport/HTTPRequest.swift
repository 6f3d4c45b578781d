// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// A request to an origin, with limits for the request and for its answer.
package struct HTTPRequest: Sendable {
    package var url: String
    package var method: String
    package var headers: [HTTPHeader]
    package var body: Data?
    package var limits: HTTPLimits
    /// A Boolean value that indicates whether connections to private addresses are allowed, also after redirects.
    package var allowPrivateNetworks: Bool
    /// A Boolean value that indicates whether HTTP/1.1 is used even if the server supports HTTP/2.
    package var avoidsHTTP2: Bool

    package init(
        url: String,
        method: String = "GET",
        headers: [HTTPHeader] = [],
        body: Data? = nil,
        limits: HTTPLimits = HTTPLimits(),
        allowPrivateNetworks: Bool = false,
        avoidsHTTP2: Bool = false
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.limits = limits
        self.allowPrivateNetworks = allowPrivateNetworks
        self.avoidsHTTP2 = avoidsHTTP2
    }
}
