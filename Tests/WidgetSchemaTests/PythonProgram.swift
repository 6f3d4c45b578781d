// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport

/// A program in `Scripts`, run with Debian's Python.
struct PythonProgram {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    let name: String

    /// Runs it to its end.
    func run(_ arguments: [String] = [], input: Data = Data()) async throws -> EndedProgram {
        let program = Self.repository.appending(path: "Scripts/\(name)").path
        return try await EndedProgram.run(["/usr/bin/python3", program] + arguments, input: input)
    }
}
