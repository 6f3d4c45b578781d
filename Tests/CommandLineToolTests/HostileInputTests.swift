// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// Documents that mean harm, given to `tidings inspect`: `Scripts/hostile-inputs.py` makes them and measures.
@Suite(.timeLimit(.minutes(10)))
struct HostileInputTests {
    @Test func noDocumentCrashesHangsOrFillsTheMemory() async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Scripts/hostile-inputs.py")
        // Unoptimised code takes several times as long as what is installed.
        let limits = "--seconds 30 --base 12 --stride 16"
        let run = try await CommandRun.bash("exec \(script.path()) \(limits) tidings inspect -", timeout: .seconds(540))
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
}
