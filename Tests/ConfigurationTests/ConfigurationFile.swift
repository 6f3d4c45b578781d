// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport

/// Runs `body` with the path of a configuration's file that exists only so long.
func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "tidings.yml")
    try Data(text.utf8).write(to: file)
    return try withExtendedLifetime(folder) { try body(file.path) }
}
