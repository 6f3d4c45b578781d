// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Glibc
import WidgetSchema

/// The default addresses of the demo's bus and gateway.
enum DemoBus {
    /// The loopback address that makes the bus choose free ports.
    static let anyPorts = "tcp://127.0.0.1:0"

    /// Returns the default address of a bus, or `anyPorts` if one of the default ports is in use.
    ///
    /// If the bus has its default address, the user can try commands without the option `--bus`.
    static func preferredAddress() -> String {
        let first = BusAddress.defaultPort
        return (first...first + 2).allSatisfy(isFree) ? TidingsConfiguration.Bus.defaultAddress : anyPorts
    }

    /// Returns `host` with the gateway's default port, or with a free port if the default port is in use.
    static func gatewayAddress(host: String) -> String {
        let standard = UInt16(TidingsConfiguration.Gateway.defaultPort)
        return "\(host):\(bound(to: standard) ?? bound(to: 0) ?? 0)"
    }

    private static func isFree(_ port: UInt16) -> Bool { bound(to: port) != nil }

    /// Binds a socket to a port for a moment, and returns the port; nil if it is in use.
    ///
    /// For the port 0, the system chooses a free one.
    private static func bound(to port: UInt16) -> UInt16? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // ZeroMQ sets this option too: with it, connections of an earlier bus in TIME_WAIT do not block the port.
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 ? getsockname(descriptor, address, &length) : -1
            }
        }
        return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
}
