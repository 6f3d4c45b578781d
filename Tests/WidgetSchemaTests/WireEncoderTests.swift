// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

/// The wire's own coder writes what Foundation's writes, byte for byte.
@Suite struct WireEncoderTests {
    private static let foundation = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    private func expectTheSame(_ value: some Encodable, _ location: SourceLocation = #_sourceLocation) throws {
        let expected = String(decoding: try Self.foundation.encode(value), as: UTF8.self)
        #expect(String(decoding: try WireJSON.encode(value), as: UTF8.self) == expected, sourceLocation: location)
    }

    @Test func everyCharacterIsWrittenTheSame() throws {
        let scalars = (0..<0x300).compactMap(Unicode.Scalar.init)
        for scalar in scalars { try expectTheSame([String(scalar), "1234567\(scalar)89"]) }
        try expectTheSame(["\u{2028}\u{2029}\u{FEFF}\u{1F600}e\u{301}", "", "/</>&'"])
        // Each place in a block of eight bytes.
        for place in 0..<20 {
            try expectTheSame([String(repeating: "x", count: place) + "\"" + String(repeating: "é", count: 9)])
        }
    }

    @Test func everyNumberIsWrittenTheSame() throws {
        try expectTheSame([0, 1, -1, 0.1, 1e20, 1e-7, -0.0, 5e300, 3.25, 123_456_789_012_345_680, 176.5])
        try expectTheSame([Float(0.1), 2, 1e10])
        try expectTheSame([Int64.min, Int64.max])
        try expectTheSame([UInt64.max])
        try expectTheSame([UInt8(7)])
        #expect(throws: WireError.self) { try WireJSON.encode([Double.nan]) }
        #expect(throws: WireError.self) { try WireJSON.encode(["x": Double.infinity]) }
    }

    @Test func keysAreInTheSameOrder() throws {
        var random = SystemRandomNumberGenerator()
        let letters = Array("abAB10 _-/éä\"z")
        for count in [0, 1, 2, 5, 24, 25, 60] {
            var object: [String: Int] = [:]
            for value in 0..<count {
                let length = Int.random(in: 1...6, using: &random)
                object[String((0..<length).compactMap { _ in letters.randomElement(using: &random) })] = value
            }
            try expectTheSame(object)
        }
    }

    @Test func emptyAndNestedValuesAreWrittenTheSame() throws {
        try expectTheSame([String]())
        try expectTheSame([String: String]())
        try expectTheSame([[[Int]]]([[], [[1], []]]))
        try expectTheSame(["b": ["y": [1, 2], "x": []], "a": [:]])
        try expectTheSame([nil, 1, nil] as [Int?])
        try expectTheSame(true)
        try expectTheSame("alone")
        try expectTheSame([Data("bytes".utf8)])
        try expectTheSame([URL(string: "https://example.org/a?b=c")])
        try expectTheSame([Says.nothing, Says.nested])
    }

    @Test(arguments: GoldenFile.all)
    func everyWireTypeIsWrittenTheSame(_ golden: GoldenFile) throws {
        guard let value = golden.value as? any Encodable else { return }
        try expectTheSame(value)
    }

    /// Containers that are handed out while others are written, and a value that asks for none.
    private enum Says: Encodable {
        case nothing
        case nested

        enum Keys: String, CodingKey {
            case second
            case first
            case list
        }

        func encode(to encoder: any Encoder) throws {
            guard self == .nested else { return }
            var container = encoder.container(keyedBy: Keys.self)
            var second = container.nestedContainer(keyedBy: Keys.self, forKey: .second)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try container.encode("one", forKey: .first)
            try second.encode(2, forKey: .second)
            try list.encode(1)
            var inner = list.nestedUnkeyedContainer()
            try list.encode(3)
            try inner.encode("in between")
            try second.encode(1, forKey: .first)
            var above = container.superEncoder().singleValueContainer()
            try above.encode("above")
        }
    }
}
