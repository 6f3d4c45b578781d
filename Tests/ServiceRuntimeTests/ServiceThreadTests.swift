// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import Testing

@Suite(.timeLimit(.minutes(3))) struct ServiceThreadTests {
    private struct Failure: Error {}

    @Test func aServiceThreadHandsOverItsResultAndItsError() async throws {
        let answer = try await ServiceThread.run(named: "answer") { 42 }
        #expect(answer == 42)
        await #expect(throws: Failure.self) {
            try await ServiceThread.run(named: "failure") { throw Failure() }
        }
    }
}
