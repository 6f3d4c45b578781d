// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Glibc

/// An IPv4 or IPv6 address as its bytes.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The four or sixteen bytes in network order.
    package let bytes: [UInt8]

    package var isIPv4: Bool { bytes.count == 4 }

    /// The IPv4 address in an IPv4-mapped IPv6 address, such as `::ffff:192.0.2.1` (RFC 4291 §2.5.5.2); the address
    /// itself if it is not mapped.
    package var unmapped: IPAddress {
        bytes.starts(with: Self.mappedPrefix) ? IPAddress(bytes: Array(bytes.dropFirst(Self.mappedPrefix.count))) : self
    }

    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses a numeric address in a form that `inet_pton` accepts, without a zone (`%eth0`) or brackets.
    package init?(_ text: String) {
        var ipv4 = in_addr()
        var ipv6 = in6_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 {
            bytes = withUnsafeBytes(of: &ipv4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &ipv6) == 1 {
            bytes = withUnsafeBytes(of: &ipv6) { Array($0) }
        } else {
            return nil
        }
    }

    /// Creates the IPv4 or IPv6 address that a socket address of `length` bytes contains; nil if it contains none.
    package init?(socketAddress: UnsafePointer<sockaddr>, length: Int) {
        let raw = UnsafeRawBufferPointer(start: socketAddress, count: length)
        guard length >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(raw.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            bytes = withUnsafeBytes(of: address) { Array($0) }
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            bytes = withUnsafeBytes(of: address) { Array($0) }
        default:
            return nil
        }
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = bytes.withUnsafeBytes {
            inet_ntop(isIPv4 ? AF_INET : AF_INET6, $0.baseAddress, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
