// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@Suite struct PublicationRoundsTests {
    private func at(_ seconds: Int64) -> Instant { Instant(milliseconds: 1_763_683_200_000 + seconds * 1000) }

    @Test func changesAboveTheLimitFollowInTheOrderInWhichTheyCame() {
        var rounds = PublicationRounds<Int>(interval: .seconds(1), perInterval: 1, maximumChanges: 3)
        rounds.insert(Set(20..<26))
        for key in [3, 25, 1] { rounds.insert(key) }
        #expect(rounds.due(at: at(0), among: { [] }) == [20, 21, 22])
        // A key that changes again waits as before; one that was published is new.
        for key in [1, 20] { rounds.insert(key) }
        #expect(rounds.due(at: at(1), among: { [] }) == [23, 24, 25])
        #expect(rounds.due(at: at(2), among: { [] }) == [1, 3, 20])
        #expect(rounds.due(at: at(3), among: { [] }) == [])
    }
}
