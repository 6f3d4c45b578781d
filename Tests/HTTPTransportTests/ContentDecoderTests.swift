// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import HTTPTransport

@Suite struct ContentDecoderTests {
    /// The text of a body that consists of two compressed greetings.
    private static let text = Data(String(repeating: "hello ", count: 40).utf8)

    private func decoded(_ pieces: [Data], _ encoding: String) throws -> Data {
        let decoder = try ContentDecoder([encoding])
        var result = Data()
        func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
            result.append(contentsOf: bytes)
            return true
        }
        for piece in pieces {
            _ = try [UInt8](piece).withUnsafeBufferPointer { bytes throws(DecodingProblem) in
                try decoder.decode(UnsafeRawBufferPointer(bytes), append)
            }
        }
        _ = try decoder.finish(append)
        return result
    }

    @Test func aBodyOfSeveralZstandardFramesIsWhole() throws {
        let frame = try #require(CompressedBody.greetings.last).bytes
        let skippable = Data([0x53, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2])
        let body = skippable + frame + skippable + frame
        for count in 0...body.count {
            let pieces = [Data(body.prefix(count)), Data(body.dropFirst(count))]
            #expect(try decoded(pieces, "zstd") == Self.text, "\(count)")
        }
        #expect(try decoded(body.map { Data([$0]) }, "zstd") == Self.text)
    }

    @Test func aGzipMemberMayBeginAtTheEndOfAPiece() throws {
        let member = try #require(CompressedBody.greetings.first).bytes
        let body = member + member
        for count in 0...body.count {
            let pieces = [Data(body.prefix(count)), Data(body.dropFirst(count))]
            #expect(try decoded(pieces, "gzip") == Self.text, "\(count)")
        }
        #expect(try decoded(body.map { Data([$0]) }, "gzip") == Self.text)
    }

    @Test(arguments: ["gzip", "zstd"])
    func nothingIsDecodedAfterBytesThatAreIgnored(encoding: String) throws {
        let greeting = try #require(CompressedBody.greetings.first { $0.encoding == encoding }).bytes
        let pieces = [greeting + greeting, Data("<!-- a -->".utf8), Data([0x1f]), greeting]
        #expect(try decoded(pieces, encoding) == Self.text)
    }
}
