// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport

/// A program in `Scripts`, run with Debian's Python.
struct PythonProgram {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    let name: String

    struct Run: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs it to its end; input and output go through files, so that neither side can wait for the other.
    func run(_ arguments: [String] = [], input: Data = Data()) async throws -> Run {
        let program = Self.repository.appending(path: "Scripts/\(name)").path
        return try await onOwnThread {
            let folder = try makeTemporaryFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let files = ["input", "output", "errors"].map { folder.appending(path: $0) }
            try input.write(to: files[0])
            try Data().write(to: files[1])
            try Data().write(to: files[2])
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = [program] + arguments
            process.standardInput = try FileHandle(forReadingFrom: files[0])
            process.standardOutput = try FileHandle(forWritingTo: files[1])
            process.standardError = try FileHandle(forWritingTo: files[2])
            try process.start()
            process.waitUntilExit()
            return Run(
                status: process.terminationStatus,
                output: try String(contentsOf: files[1], encoding: .utf8),
                errors: try String(contentsOf: files[2], encoding: .utf8)
            )
        }
    }
}
