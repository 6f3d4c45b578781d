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
        let script = root.appending(path: "Scripts/page-test.py").path()
        let command = ["/usr/bin/python3", script, "--short", "--build", build.path()]
        let ended = try await EndedProgram.run(command)
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        #expect(ended.output.contains("ok      drawing") && ended.output.contains("ok      lines"), "\(ended.output)")
    }
}
