// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// A program of this machine that has ended.
package struct EndedProgram: Sendable {
    /// The exit status, or the negative number of the signal that ended the program.
    package let status: Int32
    package let output: String
    package let errors: String

    /// Runs a program to its end, in `folder` or in an empty one of its own.
    ///
    /// `command` begins with a path or with a name on the search path. `environment` is added to that of this process,
    /// without the variables of Tidings. A program that takes longer than `timeout` is killed.
    package static func run(
        _ command: [String],
        input: Data = Data(),
        in folder: URL? = nil,
        environment: [String: String] = [:],
        timeout: DispatchTimeInterval = .seconds(600)
    ) async throws -> EndedProgram {
        try await withTemporaryFolder { own in
            // Files, not pipes: nobody has to read while the program runs.
            let files = ["input", "output", "errors"].map { own.appending(path: $0) }
            try input.write(to: files[0])
            for file in files[1...] { try Data().write(to: file) }
            let handles = [
                try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
                try FileHandle(forWritingTo: files[2]),
            ]
            // Foundation keeps a process that has ended, and its handles with it.
            defer { for handle in handles { try? handle.close() } }
            let empty = own.appending(path: "empty")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
            let process = Process()
            let isPath = command.first?.hasPrefix("/") == true
            process.executableURL = URL(filePath: isPath ? command[0] : "/usr/bin/env")
            process.arguments = Array(isPath ? command.dropFirst() : command[...])
            process.currentDirectoryURL = folder ?? empty
            process.environment = ProcessInfo.processInfo.environment
                .filter { !$0.key.hasPrefix("TIDINGS_") && $0.key != "NO_COLOR" }
                .merging(environment) { _, given in given }
            process.standardInput = handles[0]
            process.standardOutput = handles[1]
            process.standardError = handles[2]
            let ended = DispatchSemaphore(value: 0)
            process.terminationHandler = { _ in ended.signal() }
            try process.start()
            let number = process.processIdentifier
            try await onOwnThread {
                guard ended.wait(timeout: .now() + timeout) == .timedOut else { return }
                kill(number, SIGKILL)
                ended.wait()
            }
            let isExit = process.terminationReason == .exit
            return EndedProgram(
                status: isExit ? process.terminationStatus : -process.terminationStatus,
                output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
                errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
            )
        }
    }
}
