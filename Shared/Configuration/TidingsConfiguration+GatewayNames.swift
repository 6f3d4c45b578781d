// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import WidgetSchema

/// The rules for the names of hosts, origins and proxies; a name that cannot match any request is an error.
extension TidingsConfiguration.Gateway {
    /// Returns the name in an entry of `hosts`, without the scheme, port, brackets and last dot that it may have; nil if it
    /// cannot be the host of a request.
    public static func hostName(_ text: String) -> String? {
        var name = Substring(text)
        for scheme in ["http://", "https://"] where name.lowercased().hasPrefix(scheme) {
            name = name.dropFirst(scheme.count)
        }
        if let colon = name.lastIndex(of: ":"), UInt16(name[name.index(after: colon)...]) != nil,
            name.hasPrefix("[") || name.firstIndex(of: ":") == colon
        {
            name = name[..<colon]
        }
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if name.hasSuffix(".") { name.removeLast() }
        let host = String(name)
        return host == "*" || isNumeric(host) || isName(host) ? host : nil
    }

    /// Returns an error message if an entry of `hosts` cannot be the host of a request, and nil otherwise.
    public static func problem(host: String) -> String? {
        guard hostName(host) == nil else { return nil }
        return "'\(host)' is not a host name; write the name that clients use, without a path, such as "
            + "tidings.home.example, or '*' for any"
    }

    /// Returns an error message if an entry of `allowedOrigins` cannot be the `Origin` of a request, and nil otherwise.
    ///
    /// An origin has no path, and no port if this is the scheme's default (RFC 6454, section 6.1). Those of apps and files
    /// have schemes and hosts of their own.
    public static func problem(allowedOrigin origin: String) -> String? {
        guard origin != "*", origin != "null" else { return nil }
        let parts = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty,
            problem(linkScheme: String(parts[0].dropLast())) == nil, isAuthority(parts[2], of: parts[0])
        else {
            return "'\(origin)' is not an origin as browsers send it; write scheme, host in lower case, and the port "
                + "unless it is the default, such as https://dashboard.example or http://192.0.2.1:3000, or '*' for any"
        }
        return nil
    }

    /// Returns an error message if an entry of `trustedProxies` is no address and no range, and nil otherwise.
    public static func problem(trustedProxy range: String) -> String? {
        let parts = range.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let bits = parts[0].contains(":") ? 128 : 32
        guard isNumeric(parts[0]), parts.count == 1 || Int(parts[1]).map((0...bits).contains) == true else {
            return "'\(range)' is not an address or a range of trusted proxies, such as 10.0.0.1 or 10.0.0.0/8"
        }
        return nil
    }

    private static func isAuthority(_ text: Substring, of scheme: Substring) -> Bool {
        guard scheme == "http:" || scheme == "https:" else {
            return text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
        }
        var host = text
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            guard let port = UInt16(text[text.index(after: colon)...]), port > 0,
                !(scheme == "https:" && port == 443), !(scheme == "http:" && port == 80)
            else { return false }
            host = text[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { return isNumeric(String(host.dropFirst().dropLast())) }
        return isName(String(host)) && host.lowercased() == host
    }

    /// Returns whether a text consists of labels of letters, digits, `-` and `_`, with dots between them.
    static func isName(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    /// Returns whether a text consists of letters, digits, `-` and `_`, and is not empty.
    static func isLabel(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
    }

    /// Returns true if the text is an IPv4 or IPv6 address.
    static func isNumeric(_ text: String) -> Bool {
        var bytes = in6_addr()
        return [AF_INET, AF_INET6].contains { inet_pton($0, text, &bytes) == 1 }
    }
}
