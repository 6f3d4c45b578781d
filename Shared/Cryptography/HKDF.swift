// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The key derivation function HKDF-SHA256 (RFC 5869).
package enum HKDF {
    /// The maximum length of a derived key, in bytes: 255 digests.
    package static let maximumBytes = 255 * SHA256.byteCount

    /// Returns a key of `count` bytes that is derived from the secret `secret`.
    ///
    /// An empty `salt` stands for zeros. `info` is the context of the key, which makes keys for different purposes
    /// independent. `count` is from 1 to ``maximumBytes``.
    package static func derive(from secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition((1...maximumBytes).contains(count), "a derived key has 1 to \(maximumBytes) bytes")
        // An empty key and a key of zeros give the same HMAC.
        let key = HMAC.digest(of: secret, key: salt)
        var result: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 0
        while result.count < count {
            counter += 1
            block = HMAC.digest(of: block + info + [counter], key: key)
            result += block
        }
        return Array(result.prefix(count))
    }
}
