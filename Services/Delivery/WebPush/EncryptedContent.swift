// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography

/// The content coding `aes128gcm` (RFC 8188), with one record.
enum EncryptedContent {
    static let saltBytes = 16
    /// The size that the header states for a record, in bytes; push services accept 4,096 at least (RFC 8291, section 4).
    static let recordBytes = 4096
    /// The byte after the text of the last record; padding of zeros could follow.
    private static let lastRecord: UInt8 = 2

    /// Returns the number of bytes that the coding adds to a text.
    static func overhead(keyIDBytes: Int) -> Int { saltBytes + 4 + 1 + keyIDBytes + 1 + AES128GCM.tagBytes }

    /// Returns the header and the encrypted record; nil if the text is too long for one record, or libcrypto fails.
    ///
    /// `secret` is the input keying material that sender and receiver share, and `keyID` its identification in the header,
    /// of at most 255 bytes. `salt` has 16 random bytes, others for each text.
    static func encode(_ text: [UInt8], secret: [UInt8], salt: [UInt8], keyID: [UInt8]) -> [UInt8]? {
        guard salt.count == saltBytes, keyID.count <= UInt8.max,
            text.count + overhead(keyIDBytes: keyID.count) <= recordBytes
        else { return nil }
        func derive(_ name: String, _ count: Int) -> [UInt8] {
            HKDF.derive(from: secret, salt: salt, info: Array("Content-Encoding: \(name)\0".utf8), count: count)
        }
        let key = derive("aes128gcm", AES128GCM.keyBytes)
        // The nonce of the first record: its number, zero, does not change it.
        let nonce = derive("nonce", AES128GCM.nonceBytes)
        guard let record = AES128GCM.seal(text + [lastRecord], key: key, nonce: nonce) else { return nil }
        let size = withUnsafeBytes(of: UInt32(recordBytes).bigEndian) { Array($0) }
        return salt + size + [UInt8(keyID.count)] + keyID + record
    }
}
