// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A body in a content coding, small on the wire.
struct CompressedBody: Sendable, CustomStringConvertible {
    var encoding: String
    var bytes: Data

    var description: String { "\(encoding), \(bytes.count) bytes" }

    /// "hello " twenty times, by zlib 1.2.13, Brotli 1.0.9 and Zstandard 1.5.4.
    static let greetings = [
        CompressedBody(encoding: "gzip", base64: "H4sIAAAAAAACA8tIzcnJV8igOwkAL/r4SHgAAAA="),
        CompressedBody(encoding: "deflate", base64: "eJzLSM3JyVfIoDsJAHe6LBE="),
        CompressedBody(encoding: "br", base64: "H3cA+I2Ubt5EVYaWbCBvEVscgMUB"),
        CompressedBody(encoding: "zstd", base64: "KLUv/QBobQAAMGhlbGxvIAEAL2kpAg=="),
    ]

    /// Zeros: 16 MiB in deflate's densest block, 64 MiB in 57 bytes of Brotli.
    static let bombs = [
        CompressedBody(encoding: "gzip", bytes: Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]) + deflatedZeros),
        CompressedBody(encoding: "deflate", bytes: Data([0x78, 0x9c]) + deflatedZeros),
        CompressedBody(
            encoding: "br",
            base64: "z///f/gnAOKxQCD3/p/////wTwDEYGQA7v0/////4Z8AiMMiAN37//z//8c/ARCHBQC69/8="
        ),
    ]

    init(encoding: String, bytes: Data) {
        self.encoding = encoding
        self.bytes = bytes
    }

    private init(encoding: String, base64: String) {
        self.init(encoding: encoding, bytes: Data(base64Encoded: base64) ?? Data())
    }

    /// One block with fixed codes (RFC 1951 §3.2.6): a zero, then matches of 258 bytes at distance 1, without an end.
    private static let deflatedZeros: Data = {
        let last: [UInt8] = [1, 1, 0]
        let zero: [UInt8] = [0, 0, 1, 1, 0, 0, 0, 0]
        let match: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        var bytes = Data()
        var byte: UInt8 = 0
        var count = 0
        func write(_ bits: [UInt8]) {
            for bit in bits {
                byte |= bit << (count & 7)
                count += 1
                guard count & 7 == 0 else { continue }
                bytes.append(byte)
                byte = 0
            }
        }
        write(last + zero)
        for _ in 0..<(16 * 1024 * 1024 / 258) { write(match) }
        return bytes
    }()
}
