// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import HTTPTransport
import OriginRules
import SourceParsing
package import WidgetSchema

extension HTTPRequest {
    /// Returns `validators` without those that cannot be sent in `If-None-Match` and `If-Modified-Since`.
    ///
    /// A validator is left out if it is empty, larger than ``maximumValidatorBytes``, or contains characters that are
    /// invalid in a header. Every request with such a validator would fail.
    package static func conditions(_ validators: Validators) -> Validators {
        func sendable(_ value: String?) -> String? {
            guard let value, !value.isEmpty, value.utf8.count <= maximumValidatorBytes,
                HTTPHeader("If-None-Match", value).isWellFormed
            else { return nil }
            return value
        }
        return Validators(
            entityTag: sendable(validators.entityTag),
            lastModified: sendable(validators.lastModified)
        )
    }

    /// The maximum size of a validator that is sent to a server, in bytes.
    ///
    /// Some servers answer larger headers with the status 431.
    package static let maximumValidatorBytes = 4096

    /// Creates the first request of a lease or, if `followUp` is not nil, the second request.
    ///
    /// The validators of the lease are sent only with the first request, as `If-None-Match` and `If-Modified-Since`.
    /// A second request to another server contains only those headers of the lease that never contain a secret.
    package init(
        _ lease: Lease,
        after followUp: FollowUp? = nil,
        totalDeadline: Duration = HTTPLimits.defaultTotalDeadline
    ) {
        let url = followUp?.url ?? lease.url
        let own = lease.headers.sendable(to: url, configuredFor: lease.url).map { HTTPHeader($0.name, $0.value) }
        var headers: [HTTPHeader] = []
        if !own.contains(where: { $0.name.lowercased() == "accept" }) {
            headers.append(HTTPHeader("Accept", SourceParser.accept))
        }
        headers += own
        let validators = followUp == nil ? Self.conditions(lease.validators) : Validators()
        // Both validators are sent, byte for byte as received (RFC 9110, sections 13.1.2 and 13.1.3): a server may
        // support only one of them.
        if let tag = validators.entityTag { headers.append(HTTPHeader("If-None-Match", tag)) }
        if let date = validators.lastModified { headers.append(HTTPHeader("If-Modified-Since", date)) }
        var limits = HTTPLimits()
        limits.totalDeadline = min(limits.totalDeadline, totalDeadline)
        self.init(
            url: url,
            headers: headers,
            limits: limits,
            allowPrivateNetworks: lease.allowPrivateNetworks,
            avoidsHTTP2: lease.avoidsHTTP2 == true
        )
    }
}
