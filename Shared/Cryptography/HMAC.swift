// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The keyed message digest HMAC-SHA256 (RFC 2104).
package enum HMAC {
    /// The length of a block of SHA-256, in bytes.
    private static let blockBytes = 64

    /// Returns the digest of a text as 64 lower-case hexadecimal digits.
    package static func hexDigest(of text: String, key: [UInt8]) -> String {
        outerHash(of: Array(text.utf8), key: key).hexDigest()
    }

    /// Returns the digest of `bytes` as 32 bytes.
    package static func digest(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        outerHash(of: bytes, key: key).digest()
    }

    private static func outerHash(of bytes: [UInt8], key: [UInt8]) -> SHA256 {
        var block = key.count > blockBytes ? SHA256.digest(of: key) : key
        block += repeatElement(0, count: blockBytes - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(bytes)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(inner.digest())
        return outer
    }
}
