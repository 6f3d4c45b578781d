// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct InteractionStateTests {
    @Test(arguments: [UInt32(0), 1, 4711, .max])
    func everyValueIsShownOnceInEachRound(seed: UInt32) {
        let round = (0..<7).compactMap { InteractionState(position: $0, seed: seed).shownIndex(of: 7) }
        #expect(round.sorted() == Array(0..<7))
        #expect(InteractionState(position: 7, seed: seed).shownIndex(of: 7) == round.first)
    }

    @Test func theNextPositionShowsAnotherValue() {
        for seed in UInt32(0)..<100 {
            for position in UInt32(0)..<10 {
                let shown = InteractionState(position: position, seed: seed).shownIndex(of: 2)
                #expect(shown != InteractionState(position: position + 1, seed: seed).shownIndex(of: 2))
            }
        }
    }

    @Test func seedsGiveDifferentOrders() {
        let orders = Set(
            (UInt32(0)..<50).map { seed in
                (UInt32(0)..<10).map { InteractionState(position: $0, seed: seed).shownIndex(of: 10) }
            }
        )
        #expect(orders.count > 45)
    }

    @Test func nothingIsShownOfNoValues() {
        #expect(InteractionState().shownIndex(of: 0) == nil)
    }
}
