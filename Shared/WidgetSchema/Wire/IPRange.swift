// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A range of addresses with a common prefix.
package struct IPRange: Sendable, Hashable {
    package let address: IPAddress
    package let prefixLength: Int

    /// Parses a range such as `192.0.2.0/24`, or a single address; returns nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { return nil }
        let bits = address.bytes.count * 8
        var prefixLength = bits
        if parts.count == 2 {
            guard let length = Int(parts[1]), (0...bits).contains(length) else { return nil }
            prefixLength = length
        }
        self.address = address
        self.prefixLength = prefixLength
    }

    package func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let (wholeBytes, bits) = prefixLength.quotientAndRemainder(dividingBy: 8)
        guard other.bytes.prefix(wholeBytes) == address.bytes.prefix(wholeBytes) else { return false }
        guard bits > 0 else { return true }
        let mask = UInt8.max << (8 - bits)
        return other.bytes[wholeBytes] & mask == address.bytes[wholeBytes] & mask
    }
}
