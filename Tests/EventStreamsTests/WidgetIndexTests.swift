// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import TestSupport
import Testing
import WidgetSchema

@Suite struct WidgetIndexTests {
    @Test func theWidgetsAreInOrderWheneverTheyCame() throws {
        var random = SeededGenerator(seed: 7)
        let names = try (0..<200).map { try widget("w\($0)") }.shuffled(using: &random)
        var index = WidgetIndex(names.prefix(80))
        let first = Array(index.widgets())
        #expect(first == names.prefix(80).sorted())
        for part in stride(from: 80, to: 200, by: 30) {
            for name in names[part..<min(part + 30, 200)] { index.insert(name) }
            let all = Array(index.widgets())
            #expect(all == names.prefix(min(part + 30, 200)).sorted())
        }
    }

    @Test func aPageGoesOnBehindTheOneBefore() throws {
        let names = try ["b", "d", "f"].map { try widget($0) }
        var index = WidgetIndex(names)
        func page(after name: String) throws -> [String] {
            let last = try widget(name)
            return index.widgets(after: last).map(\.rawValue)
        }
        #expect(try page(after: "a") == ["b", "d", "f"])
        #expect(try page(after: "b") == ["d", "f"])
        #expect(try page(after: "c") == ["d", "f"], "also behind one that is not there")
        #expect(try page(after: "f") == [])
        index.insert(try widget("e"))
        #expect(try page(after: "d") == ["e", "f"])
    }
}
