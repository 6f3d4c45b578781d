// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One address of a socket, `tcp://HOST:PORT` or `ipc://PATH`.
public enum Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A TCP port on a host.
    ///
    /// If `host` is an IPv6 address, it includes the brackets, as in `[::1]`. For a listener, the host `*` means every
    /// interface, and port 0 means a free port.
    case tcp(host: String, port: UInt16)
    case ipc(path: String)

    /// The maximum length of a local socket's path in bytes, without the terminating NUL byte.
    ///
    /// On Linux, `sun_path` in `sockaddr_un` has 108 bytes with the NUL byte.
    public static let maximumPathLength = 107

    public init(_ text: String) throws(BusAddressError) {
        if let rest = text.removingPrefix("tcp://") {
            guard let colon = rest.lastIndex(of: ":") else { throw BusAddressError(text, "the address has no port") }
            let (host, portText) = (String(rest[..<colon]), rest[rest.index(after: colon)...])
            guard let port = UInt16(portText) else {
                throw BusAddressError(text, "the port '\(portText)' is not a number from 0 to 65535")
            }
            guard !host.isEmpty else { throw BusAddressError(text, "the address has no host") }
            guard !host.contains(":") || (host.hasPrefix("[") && host.hasSuffix("]")) else {
                throw BusAddressError(text, "an IPv6 address must be in brackets")
            }
            guard isHost(host) else {
                throw BusAddressError(text, "the host '\(host)' contains a character that is not allowed")
            }
            self = .tcp(host: host, port: port)
        } else if let path = text.removingPrefix("ipc://") {
            guard !path.isEmpty else { throw BusAddressError(text, "the address has no path") }
            guard path.utf8.count <= Self.maximumPathLength else {
                throw BusAddressError(text, "the path of the socket has more than \(Self.maximumPathLength) bytes")
            }
            self = .ipc(path: String(path))
        } else {
            throw BusAddressError(text, "the address must begin with tcp:// or ipc://")
        }
    }

    public var description: String {
        switch self {
        case .tcp(let host, let port): "tcp://\(host):\(port)"
        case .ipc(let path): "ipc://\(path)"
        }
    }

    /// A Boolean value that indicates whether the endpoint is reachable from this machine only.
    public var isLocal: Bool {
        switch self {
        case .ipc: true
        case .tcp(let host, _):
            host == "localhost" || host == "[::1]"
                || (host.hasPrefix("127.") && host.split(separator: ".", omittingEmptySubsequences: false).count == 4
                    && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) })
        }
    }

    /// A Boolean value that indicates whether a client can connect to the endpoint: its host is not `*`, and its port
    /// is not 0.
    public var isConnectable: Bool {
        switch self {
        case .ipc: true
        case .tcp(let host, let port): host != "*" && port != 0
        }
    }
}

/// Returns a Boolean value that indicates whether a text can be the name or address of a host, or `*` for every
/// interface.
private func isHost(_ text: String) -> Bool {
    if text == "*" { return true }
    if text.hasPrefix("[") {
        return text.utf8.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }
    }
    return text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

extension StringProtocol {
    func removingPrefix(_ prefix: String) -> SubSequence? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
