// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct IdentifierTests {
    @Test(arguments: ["a", "blog", "0", "news-2", String(repeating: "x", count: 63)])
    func aPlainIdentifierIsAWidgetID(_ text: String) { #expect(WidgetID(rawValue: text)?.rawValue == text) }

    @Test(arguments: ["", "-a", "Blog", "a/b", "a b", "é", "a_b", "~", String(repeating: "x", count: 64)])
    func anythingElseIsNoWidgetID(_ text: String) { #expect(WidgetID(rawValue: text) == nil) }

    @Test func sequencesSortAsTextAsTheyDoAsNumbers() {
        let numbers: [UInt64] = [0, 1, 9, 10, 1_763_683_200_123, .max]
        let texts = numbers.map { SequenceNumber($0).description }
        #expect(texts == texts.sorted())
        #expect(texts.allSatisfy { $0.utf8.count == 20 })
        #expect(texts.map { SequenceNumber($0)?.number } == numbers)
    }

    @Test(arguments: ["", "-1", "+1", "1.0", "18446744073709551616", "000000000000000000001", "1 "])
    func anythingElseIsNoSequence(_ text: String) { #expect(SequenceNumber(text) == nil) }

    @Test func aRangeIsNeverEmptyAndNeverStartsAtZero() {
        #expect(SequenceRange(first: 0, sequence: 4) == nil)
        #expect(SequenceRange(first: 5, sequence: 4) == nil)
        #expect(SequenceRange(first: 4, sequence: 4)?.isSingle == true)
    }

    // Digests and source ids are stored as numbers, but always shown as their digits.
    @Test func digestsAndSourcesAreTheirDigits() {
        var random = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        func text(_ count: Int) -> String {
            String((0..<count).compactMap { _ in digits.randomElement(using: &random) })
        }
        let digests = (0..<200).map { _ in text(64) } + [String(repeating: "0", count: 64)]
        #expect(digests.map { ContentDigest(rawValue: $0)?.rawValue } == digests)
        let bytes = (0..<32).map { UInt8($0 * 8 + 7) }
        let hexadecimal = bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        #expect(ContentDigest(bytes: bytes)?.rawValue == hexadecimal)
        #expect(ContentDigest(bytes: bytes + [0]) == nil)
        #expect(digests.compactMap(ContentDigest.init).sorted().map(\.rawValue) == digests.sorted())
        let sources = (0..<200).map { _ in text(16) } + ["0000000000000000", "ffffffffffffffff"]
        #expect(sources.map { SourceID(rawValue: $0)?.rawValue } == sources)
        #expect(sources.compactMap(SourceID.init).sorted().map(\.rawValue) == sources.sorted())
        let twice = digests.compactMap(ContentDigest.init) + digests.compactMap(ContentDigest.init)
        #expect(Set(twice).count == Set(digests).count)
    }

    @Test(arguments: ["", "0123456789abcde", "0123456789abcdeF", "0123456789abcdeg", "0123456789abcdef0"])
    func anythingElseIsNoSource(_ text: String) {
        #expect(SourceID(rawValue: text) == nil)
        #expect(ContentDigest(rawValue: text + String(repeating: "0", count: 48)) == nil)
    }
}
