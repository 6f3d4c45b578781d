// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// Tests of the pages in a real Chromium, in the short form; `make browser-test` runs the full one.
@Suite(.serialized) struct BrowserTests {
    @Test(.timeLimit(.minutes(5)))
    func thePageDrawsEveryWidgetAtThePlacesOfItsPictureAndFollowsUpdates() async throws {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let build = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [root.appending(path: "Scripts/page-test.py").path(), "--short", "--build", build.path()]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let (status, text) = try await withCheckedThrowingContinuation { continuation in
            Thread {
                do {
                    try process.start()
                    let data = try output.fileHandleForReading.readToEnd() ?? Data()
                    process.waitUntilExit()
                    continuation.resume(returning: (process.terminationStatus, String(decoding: data, as: UTF8.self)))
                } catch {
                    continuation.resume(throwing: error)
                }
            }.start()
        }
        #expect(status == 0, "\(text)")
        #expect(text.contains("ok      drawing") && text.contains("ok      lines"), "\(text)")
    }
}
