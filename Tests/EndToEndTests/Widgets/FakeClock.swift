// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport

/// A wall clock that begins where a test wants it, for processes that are started with it; durations stay as they are.
enum FakeClock {
    private static let library = "libfaketimeMT.so.1"

    /// What starts a process at that moment in UTC, `2026-03-01 23:59:55`.
    static func environment(at moment: String) throws -> [String: String] {
        let libraries = "/usr/lib"
        let folders = try FileManager.default.contentsOfDirectory(atPath: libraries)
        guard
            let path = folders.lazy.map({ "\(libraries)/\($0)/faketime/\(library)" })
                .first(where: FileManager.default.fileExists)
        else { throw DidNotArrive("\(library) is not installed; `make dependencies` does that") }
        return ["LD_PRELOAD": path, "FAKETIME": "@\(moment)", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": "UTC"]
    }
}
