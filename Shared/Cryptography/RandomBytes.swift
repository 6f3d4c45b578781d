// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Random bytes for keys, salts and nonces.
package enum RandomBytes {
    /// Returns bytes of the system's random number generator, which is secure for cryptography.
    package static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
