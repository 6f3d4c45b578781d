// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import Testing

@Suite struct StepTests {
    @Test func decisionsAreSortedAndKeepTheirOrder() {
        let decisions: [Decision<Int, Character, String>] = [
            .effect("x"), .write(1), .work("a"), .write(2), .effect("y"), .work("b"),
        ]
        let step = Step(decisions)
        #expect(step == Step(writes: [1, 2], work: ["a", "b"], effects: ["x", "y"]))
    }

    @Test func aStepThatIsAppendedComesLast() {
        var step = Step<Int, Never, String>(writes: [1], effects: ["x"])
        step.append(Step(writes: [2], effects: ["y"]))
        #expect(step == Step(writes: [1, 2], effects: ["x", "y"]))
    }
}
