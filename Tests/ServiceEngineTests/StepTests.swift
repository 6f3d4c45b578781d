// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import Testing

@Suite struct StepTests {
    @Test func aStepThatIsAddedComesLast() {
        let step = Step<Int, Never, String>(writes: [1], effects: ["x"]) + Step(writes: [2], effects: ["y"])
        #expect(step == Step(writes: [1, 2], effects: ["x", "y"]))
    }
}
