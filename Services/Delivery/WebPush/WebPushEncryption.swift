// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import WidgetSchema

/// The keys with which messages for one browser are encrypted (RFC 8291, section 3.1 and 3.2).
struct WebPushKeys: Hashable, Sendable {
    static let secretBytes = 16

    let publicKey: P256PublicKey
    /// The secret that only the browser and this service know, so that a push service cannot forge messages.
    let secret: [UInt8]

    /// Creates keys from their text forms in a subscription; nil if one of them is invalid.
    init?(p256dh: String, auth: String) {
        guard let point = Base64URL.decode(p256dh), let publicKey = P256PublicKey(point),
            let secret = Base64URL.decode(auth), secret.count == Self.secretBytes
        else { return nil }
        self.publicKey = publicKey
        self.secret = secret
    }
}

/// The encryption of messages for browsers (RFC 8291).
enum WebPushEncryption {
    /// The maximum length of a text, in bytes: 4,096 without the header, the authentication tag and a byte at the end.
    static let maximumTextBytes =
        EncryptedContent.recordBytes - EncryptedContent.overhead(keyIDBytes: P256PublicKey.byteCount)
    private static let secretBytes = 32

    /// Returns the body of a push message; nil if the text is too long, or if libcrypto fails.
    ///
    /// `key` and `salt` must be new for each message.
    static func encrypt(_ text: [UInt8], for keys: WebPushKeys, key: P256PrivateKey, salt: [UInt8]) -> [UInt8]? {
        guard let shared = key.sharedSecret(with: keys.publicKey) else { return nil }
        let info = Array("WebPush: info\0".utf8) + keys.publicKey.bytes + key.publicKey.bytes
        let secret = HKDF.derive(from: shared, salt: keys.secret, info: info, count: secretBytes)
        return EncryptedContent.encode(text, secret: secret, salt: salt, keyID: key.publicKey.bytes)
    }

    /// Returns the body of a push message with a new key and a new salt.
    static func encrypt(_ text: [UInt8], for keys: WebPushKeys) -> [UInt8]? {
        guard let key = P256PrivateKey() else { return nil }
        return encrypt(text, for: keys, key: key, salt: RandomBytes.make(EncryptedContent.saltBytes))
    }
}
