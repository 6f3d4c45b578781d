// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id of one transfer of a client.
package struct TransferID: Sendable, Hashable {
    let number: UInt64
    /// A Boolean value that indicates whether the transfer may reach private networks.
    ///
    /// It determines which of the client's two sets of connections the transfer uses.
    let allowsPrivateNetworks: Bool
}
