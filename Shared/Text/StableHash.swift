// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A hash that is the same in every process, on every host and in every version, unlike `Hasher`; not for cryptography.
package enum StableHash {
    /// Returns the FNV-1a hash with 64 bits.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The increment of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    package static let increment: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// Returns a number all of whose bits depend on all bits of `number`: the finalizer of SplitMix64.
    package static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
