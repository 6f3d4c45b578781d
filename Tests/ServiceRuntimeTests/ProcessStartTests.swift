// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// Tests of the start of other programs in tests.
@Suite(.timeLimit(.minutes(2))) struct ProcessStartTests {
    /// Without the lock of `start`, about one of three runs of this test fails: open descriptors make a start slow.
    @Test func theEndOfAProcessIsNoticedWhileOneThatWasStartedAtTheSameTimeRuns() async throws {
        let descriptors = (0..<300).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        defer { for descriptor in descriptors { close(descriptor) } }
        for round in 0..<150 {
            async let short = Self.start("/bin/true")
            async let long = Self.start("/bin/sleep", "60")
            let (first, second) = try await (short, long)
            let isNoticed = await first.waitsForEnd(.seconds(5))
            kill(second.process.processIdentifier, SIGKILL)
            #expect(await second.waitsForEnd(.seconds(20)))
            try #require(isNoticed, "round \(round)")
        }
    }

    private struct Started: Sendable {
        let process: Process
        let ended: DispatchSemaphore

        func waitsForEnd(_ timeout: DispatchTimeInterval) async -> Bool {
            await (try? onOwnThread { ended.wait(timeout: .now() + timeout) == .success }) ?? false
        }
    }

    private static func start(_ path: String, _ arguments: String...) async throws -> Started {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try await onOwnThread { try process.start() }
        return Started(process: process, ended: ended)
    }
}
