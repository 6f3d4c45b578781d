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
        let extent = TestExtent.of("--seconds 10 --share 4 --stride 112", nightly: "--seconds 30 --stride 8")
        try await CommandRun.bash(
            "exec \(script.path()) --base 12 \(extent) tidings inspect -",
            timeout: .seconds(540)
        ).succeeded()
    }
}
