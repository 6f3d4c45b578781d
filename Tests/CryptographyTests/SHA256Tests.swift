// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import Testing

/// The messages are those of NIST's example files for FIPS 180-4.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func textsGiveTheDigestsOfTheStandard(message: String, digest: String) {
        #expect(SHA256.hexDigest(of: message) == digest)
        #expect(SHA256.hexDigest(of: Data(message.utf8)) == digest)
        #expect(SHA256.hexDigest(of: Array(message.utf8)) == digest)
    }

    @Test func aMillionLettersInUnevenPiecesGiveTheDigestOfTheStandard() {
        var hash = SHA256()
        var left = 1_000_000
        var piece = 1
        while left > 0 {
            let count = min(left, piece)
            hash.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
            left -= count
            piece += 1
        }
        #expect(hash.hexDigest() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func piecesOfEveryKindGiveTheDigestOfTheWhole() {
        var hash = SHA256()
        hash.update("a")
        hash.update("")
        hash.update(Data())
        hash.update(Data("b".utf8))
        hash.update(Array("c".utf8))
        #expect(hash.digest() == SHA256.digest(of: Array("abc".utf8)))
    }

    @Test func aDigestHas32Bytes() {
        #expect(SHA256.digest(of: Data()).count == SHA256.byteCount)
        var hash = SHA256()
        hash.update(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(hash.digest() == SHA256.digest(of: Data()))
    }

    @Test func bytesBehindASliceAreNotRead() {
        let bytes = Data("xabcx".utf8)
        #expect(SHA256.hexDigest(of: bytes[1..<4]) == SHA256.hexDigest(of: "abc"))
    }

    @Test func digestsThatDifferInOneDigitAreNotEqual() {
        let digest = SHA256.hexDigest(of: "abc")
        #expect(SHA256.areEqual(digest, SHA256.hexDigest(of: "abc")))
        #expect(!SHA256.areEqual(digest, String(digest.dropLast())))
        for index in digest.indices {
            for digit in "0123456789abcdef" where digit != digest[index] {
                let other = digest.replacingCharacters(in: index...index, with: String(digit))
                #expect(!SHA256.areEqual(digest, other))
            }
        }
    }

    @Test func digestsOfDifferentTextsAreNotEqual() {
        let digests = (0..<200).map { SHA256.hexDigest(of: String($0)) }
        for (first, left) in digests.enumerated() {
            for (second, right) in digests.enumerated() {
                #expect(SHA256.areEqual(left, right) == (first == second))
            }
        }
    }
}
