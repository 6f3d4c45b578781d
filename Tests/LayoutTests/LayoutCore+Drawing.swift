// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

@testable import Layout
@testable import LayoutEngine

extension LayoutCore {
    /// Handles an input as a batch of its own, with everything drawn that it needs.
    mutating func handle(_ input: Input, now: Instant) -> [Effect] { handle([input], now: now).effects }

    /// Handles a batch; returns its effects and how many drawings each round of work had.
    mutating func handle(_ inputs: [Input], now: Instant) -> (effects: [Effect], rounds: [Int]) {
        let pool = LayoutRenderer(measurer: FixedWidthMeasurer())
        let now = ClockReading(wall: now, monotonic: .now)
        var step = Decisions()
        for input in inputs { step += handle(input, now: now) }
        var rounds: [Int] = []
        while !step.work.isEmpty {
            let work = step.work
            rounds.append(work.count)
            step.work = []
            step += finish(pool.run(work), now: now)
        }
        step += endBatch(now: now)
        let effects = step.effects.filter { if case .counts = $0 { false } else { true } }
        return (effects, rounds)
    }
}
