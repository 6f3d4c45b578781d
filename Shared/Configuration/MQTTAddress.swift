// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The address of a broker: `mqtt://HOST[:PORT]`, or `mqtts://HOST[:PORT]` for TLS.
///
/// User and password are not part of it; logs and argument lists show addresses.
public struct MQTTAddress: Hashable, Sendable, CustomStringConvertible {
    public static let rule = "must be mqtt://HOST or mqtts://HOST, with a port if it is not 1883 or 8883"
    private static let plainPort: UInt16 = 1883
    private static let securePort: UInt16 = 8883

    /// The host name, or an address without brackets.
    public var host: String
    public var port: UInt16
    public var usesTLS: Bool

    public init?(_ text: String) {
        let parts: (rest: Substring, usesTLS: Bool)
        switch text {
        case _ where text.hasPrefix("mqtt://"): parts = (text.dropFirst(7), false)
        case _ where text.hasPrefix("mqtts://"): parts = (text.dropFirst(8), true)
        default: return nil
        }
        var rest = parts.rest.hasSuffix("/") ? parts.rest.dropLast() : parts.rest
        usesTLS = parts.usesTLS
        port = usesTLS ? Self.securePort : Self.plainPort
        let isBracketed = rest.hasPrefix("[")
        if let colon = rest.lastIndex(of: ":"), !isBracketed || rest[..<colon].hasSuffix("]") {
            guard let number = UInt16(rest[rest.index(after: colon)...]), number > 0 else { return nil }
            port = number
            rest = rest[..<colon]
        }
        if isBracketed {
            guard rest.hasSuffix("]") else { return nil }
            rest = rest.dropFirst().dropLast()
        }
        let allowed: Set<Character> = isBracketed ? [":", ".", "%"] : ["-", ".", "_"]
        guard !rest.isEmpty, rest.count <= 253,
            rest.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || allowed.contains($0) })
        else { return nil }
        host = String(rest)
    }

    public var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(usesTLS ? "mqtts" : "mqtt")://\(name):\(port)"
    }
}

/// The rules for the beginning of topics at a broker.
public enum MQTTTopicPath {
    public static let rule = "must be one to eight parts of letters, digits, '_' and '-', separated by '/'"
    public static let defaultDiscovery = "homeassistant"
    private static let maximumParts = 8
    private static let maximumLength = 100

    public static func isValid(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= maximumLength && parts.count <= maximumParts
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-" }
            }
    }

    /// Returns the rule as a sentence about a text that breaks it; nil for a valid one.
    static func problem(_ text: String) -> String? { isValid(text) ? nil : "'\(text)' \(rule)" }
}
