// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// The reason why a server cannot listen.
package struct WebServerError: Error, Sendable, Hashable, CustomStringConvertible {
    package var call: String
    package var errno: Int32
    package var address: String

    package var description: String {
        "cannot listen on \(address): \(call): \(String(cString: strerror(errno))) (errno \(errno))"
    }
}
