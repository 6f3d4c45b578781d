// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import HTTPTransport
import SourceParsing
package import WidgetSchema

extension HTTPRequest {
    /// The request of a lease: for its address, or for the feed that this has announced, whose conditions nobody knows.
    package init(_ lease: Lease, announced: String? = nil, totalDeadline: Duration = HTTPLimits.defaultTotalDeadline) {
        let own = lease.headers.map { HTTPHeader($0.name, $0.value) }
        var headers: [HTTPHeader] = []
        if !own.contains(where: { $0.name.lowercased() == "accept" }) {
            headers.append(HTTPHeader("Accept", SourceParser.accept))
        }
        headers += own
        let validators = announced == nil ? lease.validators : Validators()
        // Both, byte for byte as they came (RFC 9110, sections 13.1.2 and 13.1.3): servers know one of them, or none.
        if let tag = validators.entityTag { headers.append(HTTPHeader("If-None-Match", tag)) }
        if let date = validators.lastModified { headers.append(HTTPHeader("If-Modified-Since", date)) }
        var limits = HTTPLimits()
        limits.totalDeadline = min(limits.totalDeadline, totalDeadline)
        self.init(
            url: announced ?? lease.url,
            headers: headers,
            limits: limits,
            allowPrivateNetworks: lease.allowPrivateNetworks
        )
    }
}
