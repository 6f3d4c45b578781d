// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCurl

/// An absolute http or https URL.
///
/// It is parsed by libcurl's parser, so that the checks see the same host to which libcurl connects.
struct WebAddress: Sendable, Hashable {
    /// The reason why a text is not an absolute http or https URL.
    enum Problem: Error, Hashable {
        case malformed(String)
        case scheme(String)

        var kind: HTTPFailure.Kind {
            switch self {
            case .malformed: .badURL
            case .scheme: .refusedScheme
            }
        }

        var reason: String {
            switch self {
            case .malformed(let reason): reason
            case .scheme(let scheme): "the scheme \(scheme) is not http or https"
            }
        }
    }

    /// The full URL, percent-encoded where necessary.
    let text: String
    let scheme: String
    /// The host in lower case; an IPv4 address in plain numeric form, an IPv6 address without brackets.
    let host: String
    let port: Int
    /// The URL without user name and password, for logs.
    let redacted: String

    init(_ text: String) throws(Problem) {
        try self.init(text, relativeTo: nil)
    }

    /// Returns the target of a `Location` header in an answer from this address (RFC 3986 §5).
    func resolving(_ reference: String) throws(Problem) -> WebAddress {
        try WebAddress(reference, relativeTo: self)
    }

    /// Returns whether credentials for this address may be sent to the address `other`.
    ///
    /// They may be sent if scheme, host and port are the same. They may also be sent from http to https on the same
    /// host, if both addresses use the default port of their scheme.
    func trustsWithSecrets(_ other: WebAddress) -> Bool {
        guard host == other.host else { return false }
        if scheme == other.scheme { return port == other.port }
        return scheme == "http" && port == 80 && other.scheme == "https" && other.port == 443
    }

    private init(_ reference: String, relativeTo base: WebAddress?) throws(Problem) {
        guard let handle = curl_url() else { throw .malformed("memory ran out while the URL was read") }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME) | UInt32(CURLU_URLENCODE)
        if let base {
            _ = curl_url_set(handle, CURLUPART_URL, base.text, flags)
        }
        guard !reference.utf8.contains(0) else { throw .malformed("the URL contains a zero byte") }
        let code = curl_url_set(handle, CURLUPART_URL, reference, flags)
        guard code == CURLUE_OK else { throw .malformed(String(cString: curl_url_strerror(code))) }
        func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, part, &value, flags) == CURLUE_OK, let value else { return nil }
            defer { curl_free(value) }
            return String(cString: value)
        }
        guard let scheme = part(CURLUPART_SCHEME)?.lowercased() else { throw .malformed("the URL has no scheme") }
        guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
        guard let text = part(CURLUPART_URL), let host = part(CURLUPART_HOST), !host.isEmpty else {
            throw .malformed("the URL has no host")
        }
        self.text = text
        self.scheme = scheme
        self.host = host.lowercased().trimmingBrackets
        self.port =
            part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap { Int($0) } ?? (scheme == "https" ? 443 : 80)
        _ = curl_url_set(handle, CURLUPART_USER, nil, 0)
        _ = curl_url_set(handle, CURLUPART_PASSWORD, nil, 0)
        self.redacted = part(CURLUPART_URL) ?? "\(scheme)://\(host)"
    }
}

extension String {
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
