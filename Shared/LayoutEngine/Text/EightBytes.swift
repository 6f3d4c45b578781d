// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Eight bytes of a text, which are checked at the same time.
///
/// Source of the method: Henry S. Warren, "Hacker's Delight", section 6-1, "Find First 0-Byte".
struct EightBytes {
    /// The bytes; the first one has the lowest bits.
    private let bits: UInt64

    private static let lowBits: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Reads eight bytes from `index` on; nil if there are fewer.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        guard bytes.count - index >= 8 else { return nil }
        bits = UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// A Boolean value that indicates whether all bytes are spaces or visible ASCII characters.
    var areVisibleASCII: Bool {
        // Without the eighth bit, adding 0x60 sets that bit for 0x20 and all higher values.
        bits & ~Self.lowBits == 0 && (bits + 0x60 * Self.ones) & ~Self.lowBits == ~Self.lowBits
            && zeroBytes(bits ^ 0x7F * Self.ones) == 0
    }

    /// Returns whether no space follows another one; `isAfterSpace` is true if there is a space before the bytes.
    ///
    /// The bytes must be ASCII.
    func hasSingleSpaces(after isAfterSpace: Bool) -> Bool {
        let spaces = spaces
        return spaces & (spaces << 8 | (isAfterSpace ? 0x80 : 0)) == 0
    }

    var endsInSpace: Bool { spaces >> 63 == 1 }

    /// The eighth bit of each byte that is a space.
    private var spaces: UInt64 { zeroBytes(bits ^ 0x20 * Self.ones) }

    /// Returns the eighth bit of each byte that is zero.
    private func zeroBytes(_ bits: UInt64) -> UInt64 {
        ~(((bits & Self.lowBits) + Self.lowBits) | bits | Self.lowBits)
    }
}
