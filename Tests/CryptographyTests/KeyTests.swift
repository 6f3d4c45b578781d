// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import COpenSSL
import Cryptography
import Foundation
import TestSupport
import Testing

/// Elliptic curves, key derivation and encryption, with the vectors of their standards.
@Suite struct KeyTests {
    /// RFC 5869, appendix A.1 to A.3: secret, salt, info and the key in hexadecimal digits.
    @Test(arguments: [
        (
            String(repeating: "0b", count: 22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            hexadecimal(0x00...0x4f), hexadecimal(0x60...0xaf), hexadecimal(0xb0...0xff),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
        ),
        (
            String(repeating: "0b", count: 22), "", "",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ])
    func derivedKeysAreThoseOfTheStandard(secret: String, salt: String, info: String, key: String) {
        let expected = bytes(key)
        let derived = HKDF.derive(from: bytes(secret), salt: bytes(salt), info: bytes(info), count: expected.count)
        #expect(derived == expected)
    }

    /// The test cases 1 and 2 of "The Galois/Counter Mode of Operation" (McGrew, Viega).
    @Test(arguments: [
        ("", "58e2fccefa7e3061367f1d57a4e7455a"),
        ("00000000000000000000000000000000", "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"),
    ])
    func encryptedTextsAreThoseOfTheStandard(text: String, sealed: String) {
        let key = [UInt8](repeating: 0, count: AES128GCM.keyBytes)
        let nonce = [UInt8](repeating: 0, count: AES128GCM.nonceBytes)
        #expect(AES128GCM.seal(bytes(text), key: key, nonce: nonce) == bytes(sealed))
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("\u{FF}\u{3E}", "w78-"),
    ])
    func base64URLReadsWhatItWrites(text: String, encoded: String) {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test func base64URLAcceptsPaddingAndNoOtherAlphabet() {
        #expect(Base64URL.decode("Zg==") == Array("f".utf8))
        for text in ["Zg+/", "Z g", "Zg\n", "Z", "Zg=g", "é"] { #expect(Base64URL.decode(text) == nil, "\(text)") }
    }

    // RFC 7515, appendix A.3.
    @Test func aSignatureOfTheStandardIsValidForItsKey() throws {
        let key = try #require(P256PrivateKey(scalar: decoded("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI")))
        let x = decoded("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
        let y = decoded("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
        #expect(key.publicKey.bytes == [4] + x + y)
        let text =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19y"
            + "b290Ijp0cnVlfQ"
        let signature = decoded(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        )
        #expect(isValid(signature, of: Array(text.utf8), key.publicKey))
        #expect(!isValid(signature, of: Array((text + "x").utf8), key.publicKey))
    }

    @Test func eachSignatureIsValidAndHas64Bytes() throws {
        let key = try #require(P256PrivateKey())
        // In one signature of 128, r or s has a byte less, which padding must replace.
        for number in 0..<512 {
            let message = Array("message \(number)".utf8)
            let signature = try #require(key.signature(of: message))
            #expect(signature.count == 64)
            #expect(isValid(signature, of: message, key.publicKey))
        }
    }

    @Test func twoKeysHaveTheSameSecretFromBothSides() throws {
        let (first, second) = (try #require(P256PrivateKey()), try #require(P256PrivateKey()))
        let secret = try #require(first.sharedSecret(with: second.publicKey))
        #expect(secret == second.sharedSecret(with: first.publicKey))
        #expect(P256PrivateKey(scalar: first.scalar)?.publicKey == first.publicKey)
    }

    @Test func invalidKeysAreRejected() throws {
        let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        for scalar in [[], [1], [UInt8](repeating: 0, count: 32), order, [UInt8](repeating: 0xff, count: 32)] {
            #expect(P256PrivateKey(scalar: scalar) == nil)
        }
        var point = try #require(P256PrivateKey()).publicKey.bytes
        #expect(P256PublicKey(point) != nil)
        point[64] ^= 1
        #expect(P256PublicKey(point) == nil, "the point is not on the curve")
        #expect(P256PublicKey(Array(point.dropLast())) == nil)
        #expect(P256PublicKey([0]) == nil, "the point at infinity")
    }

    @Test func aKeyOfOpenSSLSignsWhatOpenSSLVerifies() async throws {
        try await withTemporaryFolder { folder in
            let make = """
                openssl ecparam -name prime256v1 -genkey -noout -out sec1.pem
                openssl pkcs8 -topk8 -nocrypt -in sec1.pem -out key.p8
                openssl ec -in sec1.pem -pubout -out public.pem
                openssl pkcs8 -topk8 -passout pass:x -in sec1.pem -out encrypted.p8
                openssl ecparam -name secp384r1 -genkey -noout -out other-curve.pem
                """
            #expect(try await EndedProgram.run(["sh", "-ec", make], in: folder).status == 0)
            func pem(_ name: String) throws -> String {
                try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            }
            let key = try #require(P256PrivateKey(pem: try pem("key.p8")))
            #expect(P256PrivateKey(pem: try pem("sec1.pem"))?.publicKey == key.publicKey)
            for name in ["encrypted.p8", "other-curve.pem", "public.pem"] {
                #expect(P256PrivateKey(pem: try pem(name)) == nil, "\(name)")
            }
            let token = try #require(JSONWebSignature.es256(header: #"{"alg":"ES256"}"#, payload: "{}", key: key))
            let parts = token.split(separator: ".").map(String.init)
            try #require(parts.count == 3)
            try Data("\(parts[0]).\(parts[1])".utf8).write(to: folder.appending(path: "text"))
            try Data(asDER(decoded(parts[2]))).write(to: folder.appending(path: "signature"))
            let verify = ["openssl", "dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "text"]
            #expect(try await EndedProgram.run(verify, in: folder).output == "Verified OK\n")
        }
    }

    @Test func theDescriptionOfAKeyShowsNothingOfIt() throws {
        let key = try #require(P256PrivateKey(scalar: [UInt8](repeating: 0, count: 31) + [7]))
        #expect("\(key)" == "a private key")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}

private func hexadecimal(_ range: ClosedRange<UInt8>) -> String {
    range.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

private func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}

private func decoded(_ text: String) -> [UInt8] { Base64URL.decode(text) ?? [] }

/// Returns the form of a signature that OpenSSL reads.
private func asDER(_ signature: [UInt8]) -> [UInt8] {
    let halves = [Array(signature.prefix(32)), Array(signature.suffix(32))].map { half -> [UInt8] in
        var half = Array(half.drop { $0 == 0 })
        if half.first.map({ $0 >= 0x80 }) ?? true { half.insert(0, at: 0) }
        return [2, UInt8(half.count)] + half
    }
    return [0x30, UInt8(halves[0].count + halves[1].count)] + halves[0] + halves[1]
}

/// Returns whether libcrypto accepts a signature.
private func isValid(_ signature: [UInt8], of message: [UInt8], _ key: P256PublicKey) -> Bool {
    guard let owner = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { return false }
    defer { EC_KEY_free(owner) }
    let digest = SHA256.digest(of: message)
    let der = asDER(signature)
    return EC_KEY_oct2key(owner, key.bytes, key.bytes.count, nil) == 1
        && ECDSA_verify(0, digest, Int32(digest.count), der, Int32(der.count), owner) == 1
}
