// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import COpenSSL

/// The authenticated encryption AES-128 in Galois/Counter mode (NIST SP 800-38D), without additional data.
package enum AES128GCM {
    package static let keyBytes = 16
    package static let nonceBytes = 12
    /// The length of the authentication tag, which follows the encrypted text, in bytes.
    package static let tagBytes = 16

    /// Returns the encrypted text with its authentication tag; nil if libcrypto fails, for example for lack of memory.
    ///
    /// A pair of key and nonce must encrypt one text only.
    package static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        precondition(key.count == keyBytes && nonce.count == nonceBytes, "a key has 16 bytes, and a nonce 12")
        guard text.count <= Int(Int32.max) - tagBytes, let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        var isSealed = false
        let sealed = [UInt8](unsafeUninitializedCapacity: text.count + tagBytes) { output, count in
            guard let start = output.baseAddress else { return }
            var length: Int32 = 0
            var rest: Int32 = 0
            guard EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1,
                EVP_EncryptUpdate(context, start, &length, text, Int32(text.count)) == 1,
                EVP_EncryptFinal_ex(context, start + Int(length), &rest) == 1, Int(length + rest) == text.count,
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagBytes), start + text.count) == 1
            else { return }
            count = text.count + tagBytes
            isSealed = true
        }
        return isSealed ? sealed : nil
    }
}
