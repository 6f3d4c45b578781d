// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import COpenSSL

/// A private key of the elliptic curve P-256, for signatures (ECDSA with SHA-256) and for shared secrets (ECDH).
///
/// May be used from any thread. The description of a key shows nothing of it.
package final class P256PrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The length of the private number, and of each half of a signature, in bytes.
    package static let scalarBytes = 32

    // Safe: the key does not change after the initialiser, and libcrypto's functions only read it.
    nonisolated(unsafe) private let key: OpaquePointer
    package let publicKey: P256PublicKey

    /// Creates a random key; nil if libcrypto fails, for example for lack of memory.
    package convenience init?() {
        guard let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        guard EC_KEY_generate_key(key) == 1 else {
            EC_KEY_free(key)
            return nil
        }
        self.init(owning: key)
    }

    /// Creates a key from its private number in 32 bytes, the highest byte first; nil if the number is not in range.
    package convenience init?(scalar: [UInt8]) {
        guard scalar.count == Self.scalarBytes, let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else {
            return nil
        }
        guard EC_KEY_oct2priv(key, scalar, scalar.count) == 1, Self.addPublicKey(to: key), EC_KEY_check_key(key) == 1
        else {
            EC_KEY_free(key)
            return nil
        }
        self.init(owning: key)
    }

    /// Creates a key from a PEM file without a passphrase, in the form PKCS #8 (`BEGIN PRIVATE KEY`) or SEC 1.
    ///
    /// Nil if the text has another form, or contains the key of another curve. Apple's files with the extension `.p8`
    /// are such PEM files.
    package convenience init?(pem: String) {
        let bytes = Array(pem.utf8)
        let parsed = bytes.withUnsafeBytes { buffer -> OpaquePointer? in
            guard let input = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return nil }
            defer { BIO_free(input) }
            return tidings_read_private_key(input)
        }
        guard let parsed else { return nil }
        defer { EVP_PKEY_free(parsed) }
        guard let key = EVP_PKEY_get1_EC_KEY(parsed) else { return nil }
        guard EC_GROUP_get_curve_name(EC_KEY_get0_group(key)) == NID_X9_62_prime256v1, EC_KEY_check_key(key) == 1
        else {
            EC_KEY_free(key)
            return nil
        }
        self.init(owning: key)
    }

    private init?(owning key: OpaquePointer) {
        guard let point = EC_KEY_get0_public_key(key) else {
            EC_KEY_free(key)
            return nil
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: P256PublicKey.byteCount) { output, count in
            count = EC_POINT_point2oct(
                EC_KEY_get0_group(key),
                point,
                POINT_CONVERSION_UNCOMPRESSED,
                output.baseAddress,
                output.count,
                nil
            )
        }
        self.key = key
        publicKey = P256PublicKey(uncompressed: bytes)
    }

    deinit { EC_KEY_free(key) }

    /// The private number in 32 bytes, the highest byte first; it is a secret.
    package var scalar: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.scalarBytes) { output, count in
            count = EC_KEY_priv2oct(key, output.baseAddress, Self.scalarBytes)
        }
    }

    /// Returns the signature of a message in 64 bytes, r and s (RFC 7518, section 3.4); nil if libcrypto fails.
    ///
    /// Signatures are random: two signatures of a message differ.
    package func signature(of message: [UInt8]) -> [UInt8]? {
        let digest = SHA256.digest(of: message)
        guard let signature = ECDSA_do_sign(digest, Int32(digest.count), key) else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let half = Self.scalarBytes
        var isComplete = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 2 * half) { output, count in
            guard let start = output.baseAddress,
                BN_bn2binpad(ECDSA_SIG_get0_r(signature), start, Int32(half)) == Int32(half),
                BN_bn2binpad(ECDSA_SIG_get0_s(signature), start + half, Int32(half)) == Int32(half)
            else { return }
            count = 2 * half
            isComplete = true
        }
        return isComplete ? bytes : nil
    }

    /// Returns the secret in 32 bytes that only the owners of the two private keys can compute; nil if libcrypto fails.
    package func sharedSecret(with other: P256PublicKey) -> [UInt8]? {
        let group = EC_KEY_get0_group(key)
        guard let point = EC_POINT_new(group) else { return nil }
        defer { EC_POINT_free(point) }
        guard EC_POINT_oct2point(group, point, other.bytes, other.bytes.count, nil) == 1 else { return nil }
        let secret = [UInt8](unsafeUninitializedCapacity: Self.scalarBytes) { output, count in
            count = max(0, Int(ECDH_compute_key(output.baseAddress, Self.scalarBytes, point, key, nil)))
        }
        return secret.count == Self.scalarBytes ? secret : nil
    }

    package var description: String { "a private key" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    private static func addPublicKey(to key: OpaquePointer) -> Bool {
        let group = EC_KEY_get0_group(key)
        guard let point = EC_POINT_new(group) else { return false }
        defer { EC_POINT_free(point) }
        return EC_POINT_mul(group, point, EC_KEY_get0_private_key(key), nil, nil, nil) == 1
            && EC_KEY_set_public_key(key, point) == 1
    }
}
