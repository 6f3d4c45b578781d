// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One redirect that was followed.
package struct RedirectHop: Sendable, Hashable {
    package var from: String
    package var status: Int
    package var to: String

    /// A Boolean value that indicates whether the address changed permanently (RFC 9110 §15.4.2 and §15.4.9).
    package var isPermanent: Bool { status == 301 || status == 308 }
}
