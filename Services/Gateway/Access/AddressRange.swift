// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// A range of IP addresses, such as `10.0.0.0/8`, or a single address.
struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    private let bits: Int

    /// Creates a range; nil if the text is not a numeric address with an optional prefix length.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(String(parts.first ?? "")), parts.count <= 2 else { return nil }
        let all = bytes.count * 8
        guard let bits = parts.count == 2 ? Int(parts[1]) : all, (0...all).contains(bits) else { return nil }
        self.bytes = bytes
        self.bits = bits
    }

    func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(address), other.count == bytes.count else { return false }
        let whole = bits / 8
        guard bytes[..<whole] == other[..<whole] else { return false }
        guard bits % 8 > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (bits % 8))
        return bytes[whole] & mask == other[whole] & mask
    }

    /// Returns a numeric address in its usual form, such as `192.0.2.1` for `::ffff:192.0.2.1`; nil if the text is not a
    /// single numeric address.
    static func numeric(_ text: String) -> String? {
        guard var bytes = bytes(text) else { return nil }
        // A proxy that listens to IPv4 and IPv6 may report an IPv4 address as an IPv6 address with this prefix.
        if bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]) { bytes.removeFirst(12) }
        var result = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &result, socklen_t(result.count)) != nil else { return nil }
        return String(decoding: result.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 { return withUnsafeBytes(of: ipv4) { Array($0) } }
        var ipv6 = in6_addr()
        if inet_pton(AF_INET6, text, &ipv6) == 1 { return withUnsafeBytes(of: ipv6) { Array($0) } }
        return nil
    }
}
