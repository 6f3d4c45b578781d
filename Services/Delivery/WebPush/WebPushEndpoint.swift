// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The address at which a push service accepts messages for one browser; it is a secret.
///
/// Its form is narrower than that of a URL, so that every reader agrees about the host: `https`, a name of ASCII letters,
/// digits, `-` and `.`, an optional port, and a path of visible ASCII characters.
struct WebPushEndpoint: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    static let maximumBytes = 2048
    static let rule = "an https address with a host name and a path, at most \(maximumBytes) characters of ASCII"
    private static let scheme = "https://"

    let text: String
    /// The scheme, the host and the port, which a signature for the push service names (RFC 8292, section 2).
    let origin: String

    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes, text.hasPrefix(Self.scheme),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let rest = text.dropFirst(Self.scheme.count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let parts = rest[..<slash].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, Self.isHostName(host) else { return nil }
        if parts.count == 2 {
            guard let port = UInt16(parts[1]), port > 0, String(port) == parts[1] else { return nil }
            origin = port == 443 ? "\(Self.scheme)\(host)" : "\(Self.scheme)\(host):\(port)"
        } else {
            origin = "\(Self.scheme)\(host)"
        }
        self.text = text
    }

    var description: String { "\(origin)/…" }
    var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }

    private static func isHostName(_ host: Substring) -> Bool {
        !host.isEmpty && !host.hasPrefix(".") && !host.hasPrefix("-")
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
