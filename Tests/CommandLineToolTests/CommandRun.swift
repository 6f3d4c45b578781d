// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// One call of the executable `tidings` from its start to its end, as a shell makes it: nothing is a terminal.
typealias CommandRun = EndedProgram

extension CommandRun {
    /// Longer than any command that these tests call may take on a busy machine, and than the lease of a source.
    static let timeout: DispatchTimeInterval = .seconds(90)
    /// A command that takes longer is printed, to find out why.
    private static let remarkable: Duration = .seconds(10)

    var lines: [Substring] { output.split(separator: "\n") }
    var errorLines: [Substring] { errors.split(separator: "\n") }

    /// Runs `tidings` in `folder`, or in an empty one of its own.
    static func tidings(
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        in folder: URL? = nil
    ) async throws -> CommandRun {
        let command = [SpawnedService.folder.appending(path: "tidings").path()] + arguments
        return try await checked(command) {
            try await run(command, input: input, in: folder, environment: environment, timeout: timeout)
        }
    }

    /// Runs a script of bash with the folder of the built executables first in its `PATH`.
    static func bash(
        _ script: String,
        environment: [String: String] = [:],
        timeout: DispatchTimeInterval = timeout
    ) async throws -> CommandRun {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let all = environment.merging(["PATH": "\(SpawnedService.folder.path()):\(path)"]) { $1 }
        let command = ["/bin/bash", "-c", script]
        return try await checked(command) { try await run(command, environment: all, timeout: timeout) }
    }

    /// Expects the status of success, and returns the run.
    @discardableResult
    func succeeded(sourceLocation: SourceLocation = #_sourceLocation) -> CommandRun {
        #expect(status == 0, "\(output)\(errors)", sourceLocation: sourceLocation)
        return self
    }

    /// Words of Swift and Foundation that mean nothing to a user.
    private static let internals = [
        "Error Domain", "NSCocoa", "NSPOSIX", "NSFilePath", "Expected to decode", "Cannot initialize", "DecodingError",
        "CodingKey", "debugDescription", "Optional(", "Swift.", "Foundation.", "Dictionary<", "CommandLine.",
        "fatalError",
        "_errno", "couldn\u{2019}t be completed",
    ]

    /// Checks that what a command says is for people.
    private static func checked(
        _ command: [String],
        _ body: () async throws -> CommandRun
    ) async throws -> CommandRun {
        let begun = ContinuousClock.now
        let run = try await body()
        let text = command.joined(separator: " ")
        if ContinuousClock.now - begun > remarkable {
            print("'\(text)' took \((ContinuousClock.now - begun) / .seconds(1)) s")
        }
        // Every error path that any of these tests reaches speaks to a person.
        for word in internals where run.errors.contains(word) || run.output.contains(word) {
            Issue.record("'\(text)' shows '\(word)': \(run.errors)")
        }
        return run
    }
}
