// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A site whose pages may show the gateway's pages in a frame.
///
/// It is one source expression of the directive `frame-ancestors` (Content Security Policy Level 3, section 6.4.2).
public struct FrameAncestor: Sendable, Hashable {
    /// The error for a text that is not such a site.
    public struct Problem: Error, Sendable {
        public let message: String
    }

    /// The text in the header `Content-Security-Policy`.
    public let expression: String

    /// Creates a site from `self`, `*` or an origin such as `https://home.example` or `https://*.example:8443`.
    public init(_ text: String) throws(Problem) {
        switch text {
        case "*": expression = "*"
        case "self", "'self'": expression = "'self'"
        default:
            guard let origin = Self.origin(text) else {
                throw Problem(
                    message: "'\(text)' is not a site that may embed the pages; write an origin without a path, "
                        + "such as https://home.example or http://192.0.2.1:8123, or self, or *"
                )
            }
            expression = origin
        }
    }

    /// Returns the directive `frame-ancestors` with these sites.
    public static func directive(_ sites: [FrameAncestor]) -> String {
        "frame-ancestors " + (sites.isEmpty ? "'none'" : sites.map(\.expression).joined(separator: " "))
    }

    /// Returns an origin in lower case; nil if the text has another form.
    ///
    /// The host may begin with `*.`, and the port may be `*`. IPv6 addresses are not allowed, because browsers do not
    /// match them.
    private static func origin(_ text: String) -> String? {
        let text = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        let parts = text.dropFirst(scheme.utf8.count).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count) else { return nil }
        if parts.count == 2, parts[1] != "*" {
            guard let port = Int(parts[1]), (1...65_535).contains(port), parts[1].utf8.first != UInt8(ascii: "+") else {
                return nil
            }
        }
        let host = parts[0].hasPrefix("*.") ? parts[0].dropFirst(2) : parts[0]
        return TidingsConfiguration.Gateway.isName(String(host)) ? text : nil
    }
}
