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

    package init(
        url: String,
        method: String = "GET",
        headers: [HTTPHeader] = [],
        body: Data? = nil,
        limits: HTTPLimits = HTTPLimits(),
        allowPrivateNetworks: Bool = false
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.limits = limits
        self.allowPrivateNetworks = allowPrivateNetworks
    }
}
