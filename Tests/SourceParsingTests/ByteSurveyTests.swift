// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import SourceParsing

/// The survey reads eight bytes at once; here it is compared with one byte after the other.
@Suite struct ByteSurveyTests {
    private static let pieces: [[UInt8]] = [
        [0x61], [0x20], [0x7F], [0x09], [0x0A], [0x0D], [0x00], [0x1B], [0x08], [0x0B], [0x1F], Array("é".utf8),
        Array("港".utf8), Array("🧭".utf8), [0xC2, 0x85], [0xC2, 0xA0], [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xFF],
        Array("sixteen letters!".utf8), Array("\tline\n".utf8),
    ]

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value < 32 && scalar != "\t" && scalar != "\n") || (0x80..<0xA0).contains(scalar.value)
    }

    @Test func aSurveySaysWhatEachCharacterSays() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &generator)
            // Most documents have no unusual byte.
            let most = Bool.random(using: &generator) ? Self.pieces.count : 5
            let bytes = (0..<count).flatMap { _ in Self.pieces[Int.random(in: 0..<most, using: &generator)] }
            let survey = bytes.withUnsafeBufferPointer { ByteSurvey($0) }
            let text = String(validating: bytes, as: UTF8.self)
            #expect(survey.isUTF8 == (text != nil), "\(bytes)")
            guard let text else { continue }
            #expect(survey.needsCleaning == text.unicodeScalars.contains(where: Self.isControl), "\(bytes)")
            #expect(survey.hasEscape == bytes.contains(0x1B), "\(bytes)")
        }
    }
}
