// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import WidgetSchema

extension [RequestHeader] {
    /// Returns those of these headers that a request to `url` may contain.
    ///
    /// The headers were configured for the URL `configured`. Redirects and web pages can name any other server, which
    /// must not receive a secret. All headers are returned if `url` has the same scheme, host and port as
    /// `configured`, or the scheme `https` in place of `http` and both schemes' default ports. For other URLs, only
    /// headers are returned that never contain a secret.
    package func sendable(to url: String, configuredFor configured: String) -> [RequestHeader] {
        if url == configured { return self }
        if let server = Server(configured), let other = Server(url), server.trusts(other) { return self }
        return filter { RequestHeader.isHarmless($0.name) }
    }
}

/// The scheme, host and port of an http or https URL, compared as texts.
///
/// Two equal texts mean the same server, whichever parser reads the URLs later. If a URL is unusual, the texts may
/// differ although the server is the same, or the URL is not read at all: its request then lacks headers.
private struct Server {
    private let isSecure: Bool
    private let host: String
    /// The port; empty for the default port of the scheme.
    private let port: Substring

    init?(_ url: String) {
        // In other texts, a combining character can hide a separator such as '/'.
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        let parts = url.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("//") else { return nil }
        let scheme = parts[0].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        isSecure = scheme == "https"
        let authority = parts[1].dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let names = authority.split(separator: "@", omittingEmptySubsequences: false)
        guard names.count <= 2, let server = names.last, !server.isEmpty else { return nil }
        // An IPv6 address is in brackets and contains colons.
        let end = server.lastIndex(of: "]") ?? server.startIndex
        let colon = server[end...].firstIndex(of: ":") ?? server.endIndex
        host = server[..<colon].lowercased()
        let digits = server[colon...].dropFirst()
        port = digits == (isSecure ? "443" : "80") ? "" : digits
    }

    func trusts(_ other: Server) -> Bool {
        guard host == other.host, port == other.port else { return false }
        return isSecure == other.isSecure || other.isSecure && port.isEmpty
    }
}
