// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import LayoutEngine

@Suite struct BoundedMemoryTests {
    @Test func theCostStaysBelowTheLimitAndOneValue() {
        var memory = BoundedMemory<Int, Int>(limit: 100)
        for number in 0..<1000 { memory.remember(number, for: number, cost: 10) }
        #expect(memory.count <= 11)
        #expect(memory.forgotten >= 900)
    }

    @Test func whatIsUsedStays() {
        var memory = BoundedMemory<Int, String>(limit: 10)
        memory.remember("used", for: -1)
        for number in 0..<1000 {
            memory.remember("other", for: number)
            #expect(memory.value(for: -1) == "used")
        }
    }

    @Test func aValueIsReplacedAndForgotten() {
        var memory = BoundedMemory<String, Int>(limit: 10)
        memory.remember(1, for: "a")
        memory.remember(2, for: "a")
        #expect(memory.count == 1)
        #expect(memory.value(for: "a") == 2)
        memory.forget("a")
        #expect(memory.value(for: "a") == nil)
        #expect(memory.count == 0)
    }
}
