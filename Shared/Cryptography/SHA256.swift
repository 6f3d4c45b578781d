// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import COpenSSL
public import FoundationEssentials

/// A SHA-256 hash that takes its input in pieces (FIPS 180-4).
///
/// Call `update` for each piece, then `digest()` or `hexDigest()`. These two methods consume the value. If all bytes
/// are available at once, use `digest(of:)` or `hexDigest(of:)`.
public struct SHA256: ~Copyable {
    /// The length of a digest in bytes.
    public static let byteCount = 32

    private var context = SHA256_CTX()

    public init() {
        precondition(SHA256_Init(&context) == 1, "SHA256_Init failed")
    }

    /// Appends `bytes` to the message that is hashed.
    public mutating func update(_ bytes: some DataProtocol) {
        for region in bytes.regions {
            region.withUnsafeBytes { update($0) }
        }
    }

    /// Appends the UTF-8 bytes of a text to the message.
    public mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    }

    /// Ends the message and returns its digest as 32 bytes.
    public consuming func digest() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            precondition(SHA256_Final(buffer.baseAddress, &context) == 1, "SHA256_Final failed")
            count = Self.byteCount
        }
    }

    /// Ends the message and returns its digest as 64 lower-case hexadecimal digits.
    public consuming func hexDigest() -> String {
        Self.hexadecimal(digest())
    }

    /// Returns the SHA-256 digest of `bytes` as 32 bytes.
    public static func digest(of bytes: some DataProtocol) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    /// Returns the SHA-256 digest of `bytes` as 64 lower-case hexadecimal digits.
    public static func hexDigest(of bytes: some DataProtocol) -> String {
        hexadecimal(digest(of: bytes))
    }

    /// Returns the digest of a text's UTF-8 bytes as 64 lower-case hexadecimal digits.
    public static func hexDigest(of text: String) -> String {
        var hash = SHA256()
        hash.update(text)
        return hash.hexDigest()
    }

    /// Appends bytes in memory to the message.
    ///
    /// Unlike the generic `update`, it needs no type metadata at run time.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // Empty input may have no address, but libcrypto requires one.
        guard let address = bytes.baseAddress else { return }
        precondition(SHA256_Update(&context, address, bytes.count) == 1, "SHA256_Update failed")
    }

    /// Returns whether two digests in hexadecimal digits are the same.
    ///
    /// The duration depends only on the lengths of the texts, so it does not reveal how many digits are right.
    public static func areEqual(_ left: String, _ right: String) -> Bool {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        return left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            let digits: StaticString = "0123456789abcdef"
            for (index, byte) in bytes.enumerated() {
                buffer[index * 2] = digits.utf8Start[Int(byte >> 4)]
                buffer[index * 2 + 1] = digits.utf8Start[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }
}
