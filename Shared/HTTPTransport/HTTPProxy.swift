// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The setting that determines the proxy for requests.
package enum HTTPProxy: Sendable, Hashable {
    case none
    /// The proxy from the environment variables `http_proxy`, `https_proxy` and `all_proxy`, except for the hosts in
    /// `no_proxy`.
    ///
    /// The upper-case forms are read too, except `HTTP_PROXY`.
    case environment
    case url(String)
}

/// The rules that choose a proxy for an address.
///
/// libcurl's own rules are not used, because the address guard must know whether a connection goes to the proxy or to
/// the origin. The proxy's address is configured and therefore trusted. Requests to this machine never use a proxy.
struct ProxyRules: Sendable, Hashable {
    private let http: String?
    private let https: String?
    private let exceptions: [String]

    init(_ proxy: HTTPProxy, environment: [String: String] = ProcessInfo.processInfo.environment) {
        switch proxy {
        case .none:
            self.init(http: nil, https: nil, exceptions: [])
        case .url(let url):
            self.init(http: url, https: url, exceptions: [])
        case .environment:
            func value(_ names: String...) -> String? {
                names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            }
            let all = value("all_proxy", "ALL_PROXY")
            let exceptions = value("no_proxy", "NO_PROXY") ?? ""
            self.init(
                // `HTTP_PROXY` in capitals is ignored: in a CGI program, clients can set it with the request header
                // `Proxy`.
                http: value("http_proxy") ?? all,
                https: value("https_proxy", "HTTPS_PROXY") ?? all,
                exceptions: exceptions.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
            )
        }
    }

    private init(http: String?, https: String?, exceptions: [String]) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// Returns the proxy for an address; nil for a direct connection.
    func proxy(for address: WebAddress) -> String? {
        guard let proxy = address.scheme == "https" ? https : http else { return nil }
        let numeric = IPAddress(address.host)
        let isLocal = address.host == "localhost" || numeric.map(isLoopback) == true
        guard !isLocal, !exceptions.contains(where: { covers($0, address.host, numeric) }) else { return nil }
        return proxy
    }

    private func isLoopback(_ address: IPAddress) -> Bool {
        address.isIPv4 ? address.bytes[0] == 127 : address.bytes == Array(repeating: 0, count: 15) + [1]
    }

    private func covers(_ exception: String, _ host: String, _ numeric: IPAddress?) -> Bool {
        if exception == "*" { return true }
        if let numeric { return IPRange(exception)?.contains(numeric) == true }
        let domain = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
        return !domain.isEmpty && (host == domain || host.hasSuffix("." + domain))
    }
}
