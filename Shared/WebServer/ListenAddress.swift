// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// A numeric address and a port in the form that system calls need.
struct ListenAddress {
    let isIPv6: Bool
    private var storage = sockaddr_storage()

    /// Creates an address; nil if the host is neither a numeric address nor `localhost`, or if the port is out of
    /// range.
    init?(host: String, port: Int) {
        guard let port = UInt16(exactly: port) else { return nil }
        let host = host == "localhost" ? "127.0.0.1" : host
        var ipv4 = sockaddr_in()
        var ipv6 = sockaddr_in6()
        if inet_pton(AF_INET, host, &ipv4.sin_addr) == 1 {
            isIPv6 = false
            ipv4.sin_family = sa_family_t(AF_INET)
            ipv4.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: ipv4, as: sockaddr_in.self) }
        } else if inet_pton(AF_INET6, host, &ipv6.sin6_addr) == 1 {
            isIPv6 = true
            ipv6.sin6_family = sa_family_t(AF_INET6)
            ipv6.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: ipv6, as: sockaddr_in6.self) }
        } else {
            return nil
        }
    }

    func withSocketAddress<Value>(_ body: (UnsafePointer<sockaddr>) -> Value) -> Value {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}

/// Returns the numeric form of a peer's address; empty if it is neither IPv4 nor IPv6.
func numericAddress(_ address: UnsafePointer<sockaddr>) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let isKnown: Bool
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
        isKnown = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            var bytes = $0.pointee.sin_addr
            return inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count)) != nil
        }
    case AF_INET6:
        isKnown = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
            var bytes = $0.pointee.sin6_addr
            return inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil
        }
    default: isKnown = false
    }
    guard isKnown else { return "" }
    let numeric = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // A socket for IPv4 and IPv6 reports an IPv4 peer as an IPv6 address with this prefix.
    return numeric.hasPrefix("::ffff:") && numeric.contains(".") ? String(numeric.dropFirst(7)) : numeric
}
