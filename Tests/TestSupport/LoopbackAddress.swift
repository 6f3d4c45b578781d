// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc

/// The loopback address of this process, for servers that are stopped and started again at the same port.
///
/// At 127.0.0.1, another process may get the port in between: for a server, or for a connection, because connections to
/// loopback addresses come from 127.0.0.1.
package enum LoopbackAddress {
    /// The address, such as `127.64.12.34`; it contains the process identifier.
    package static let text: String = {
        let number = getpid()
        return "127.\(64 + (number >> 16) & 63).\(number >> 8 & 255).\(number & 255)"
    }()
}
