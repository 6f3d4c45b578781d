// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct IdentifierTests {
    @Test(arguments: ["a", "blog", "0", "news-2", String(repeating: "x", count: 63)])
    func aPlainIdentifierIsAWidgetID(_ text: String) {
        #expect(WidgetID(rawValue: text)?.rawValue == text)
    }

    @Test(arguments: ["", "-a", "Blog", "a/b", "a b", "é", "a_b", "~", String(repeating: "x", count: 64)])
    func anythingElseIsNoWidgetID(_ text: String) {
        #expect(WidgetID(rawValue: text) == nil)
    }

    @Test func sequencesSortAsTextAsTheyDoAsNumbers() {
        let numbers: [UInt64] = [0, 1, 9, 10, 1_763_683_200_123, .max]
        let texts = numbers.map { SequenceNumber($0).description }
        #expect(texts == texts.sorted())
        #expect(texts.allSatisfy { $0.utf8.count == 20 })
        #expect(texts.map { SequenceNumber($0)?.number } == numbers)
    }

    @Test(arguments: ["", "-1", "+1", "1.0", "18446744073709551616", "000000000000000000001", "1 "])
    func anythingElseIsNoSequence(_ text: String) {
        #expect(SequenceNumber(text) == nil)
    }

    @Test func aRangeIsNeverEmptyAndNeverStartsAtZero() {
        #expect(SequenceRange(first: 0, sequence: 4) == nil)
        #expect(SequenceRange(first: 5, sequence: 4) == nil)
        #expect(SequenceRange(first: 4, sequence: 4)?.isSingle == true)
    }
}
