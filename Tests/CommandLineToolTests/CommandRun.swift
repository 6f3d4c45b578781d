// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import TestSupport
import Testing

/// One call of the executable `tidings` from its start to its end, as a shell makes it: nothing is a terminal.
struct CommandRun {
    /// Longer than any command that these tests call may take on a busy machine, and than the lease of a source.
    static let timeout: DispatchTimeInterval = .seconds(90)
    /// A command that takes longer is printed, to find out why.
    private static let remarkable: Duration = .seconds(10)

    var status: Int32
    var output: String
    var errors: String

    var errorLines: [Substring] { errors.split(separator: "\n") }

    /// Runs it in `folder`, or in an empty one of its own.
    ///
    /// Variables of Tidings that this process has are left out. A call that takes too long is killed, and has its signal
    /// with a minus sign as its status.
    static func tidings(
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        in folder: URL? = nil
    ) async throws -> CommandRun {
        try await run(
            SpawnedService.folder.appending(path: "tidings"),
            arguments,
            input: input,
            environment,
            in: folder
        )
    }

    /// Runs a script of bash with the folder of the built executables first in its `PATH`.
    static func bash(
        _ script: String,
        environment: [String: String] = [:],
        timeout: DispatchTimeInterval = timeout
    ) async throws -> CommandRun {
        let folder = SpawnedService.folder.path()
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try await run(
            URL(filePath: "/bin/bash"),
            ["-c", script],
            environment.merging(["PATH": "\(folder):\(path)"]) { $1 },
            timeout: timeout
        )
    }

    /// Words of Swift and Foundation that mean nothing to a user.
    private static let internals = [
        "Error Domain", "NSCocoa", "NSPOSIX", "NSFilePath", "Expected to decode", "Cannot initialize", "DecodingError",
        "CodingKey", "debugDescription", "Optional(", "Swift.", "Foundation.", "Dictionary<", "CommandLine.",
        "fatalError",
        "_errno", "couldn\u{2019}t be completed",
    ]

    private static func run(
        _ executable: URL,
        _ arguments: [String],
        input: Data = Data(),
        _ environment: [String: String],
        in folder: URL? = nil,
        timeout: DispatchTimeInterval = timeout
    ) async throws -> CommandRun {
        try await withTemporaryFolder { own in
            // Files, not pipes: nobody has to read while the command runs.
            let names = ["input", "output", "errors"]
            let files = names.map { own.appending(path: $0) }
            try input.write(to: files[0])
            for file in files[1...] { try Data().write(to: file) }
            let empty = own.appending(path: "empty")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.currentDirectoryURL = folder ?? empty
            process.environment = ProcessInfo.processInfo.environment
                .filter { !$0.key.hasPrefix("TIDINGS_") && $0.key != "NO_COLOR" }
                .merging(environment) { $1 }
            let handles = [
                try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
                try FileHandle(forWritingTo: files[2]),
            ]
            // Foundation keeps a process that has ended, and its handles with it.
            defer { for handle in handles { try? handle.close() } }
            process.standardInput = handles[0]
            process.standardOutput = handles[1]
            process.standardError = handles[2]
            let ended = DispatchSemaphore(value: 0)
            process.terminationHandler = { _ in ended.signal() }
            let begun = ContinuousClock.now
            try process.start()
            let number = process.processIdentifier
            try await onOwnThread {
                guard ended.wait(timeout: .now() + timeout) == .timedOut else { return }
                kill(number, SIGKILL)
                ended.wait()
            }
            if ContinuousClock.now - begun > remarkable {
                print("'\(arguments.joined(separator: " "))' took \((ContinuousClock.now - begun) / .seconds(1)) s")
            }
            let isExit = process.terminationReason == .exit
            let run = CommandRun(
                status: isExit ? process.terminationStatus : -process.terminationStatus,
                output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
                errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
            )
            // Every error path that any of these tests reaches speaks to a person.
            for word in internals where run.errors.contains(word) || run.output.contains(word) {
                Issue.record("'\(arguments.joined(separator: " "))' shows '\(word)': \(run.errors)")
            }
            return run
        }
    }
}
