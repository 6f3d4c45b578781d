// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Names one transfer of one client.
package struct TransferID: Sendable, Hashable {
    let number: UInt64
    /// Which of the two sets of connections carries it.
    let allowsPrivateNetworks: Bool
}
