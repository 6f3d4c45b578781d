// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Cryptography

/// A secret that a client sends to the gateway: `tdg_`, 30 random letters and digits, and a checksum of 6 characters.
///
/// The checksum detects mistyped tokens, and lets secret scanners recognise tokens. Only the hash of a token is stored.
package struct AccessToken: Sendable, Hashable {
    package static let prefix = "tdg_"
    private static let randomDigits = 30
    private static let checksumDigits = 6
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    package let text: String

    /// Creates a token from a text; nil if it does not have the form of a token or its checksum is wrong.
    package init?(_ text: String) {
        let body = text.utf8.dropFirst(Self.prefix.utf8.count)
        guard text.hasPrefix(Self.prefix), body.count == Self.randomDigits + Self.checksumDigits,
            body.allSatisfy(Self.alphabet.contains),
            Array(body.dropFirst(Self.randomDigits)) == Self.checksum(body.prefix(Self.randomDigits))
        else { return nil }
        self.text = text
    }

    /// Creates a random token from the system's random number generator.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<Self.randomDigits).map { _ in Self.alphabet.randomElement(using: &generator) ?? 0x30 }
        text = Self.prefix + String(decoding: digits + Self.checksum(digits[...]), as: UTF8.self)
    }

    /// The SHA-256 of the text, as 64 hexadecimal digits.
    package var hash: String { SHA256.hexDigest(of: text) }

    private static func checksum(_ digits: some Sequence<UInt8>) -> [UInt8] {
        var rest = crc32(digits)
        var result: [UInt8] = []
        for _ in 0..<checksumDigits {
            result.append(alphabet[Int(rest % 62)])
            rest /= 62
        }
        return result.reversed()
    }

    /// Returns the CRC-32 checksum of `bytes`, as defined in IEEE 802.3.
    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
