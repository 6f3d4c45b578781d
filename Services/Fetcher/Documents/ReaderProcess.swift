// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import ServiceRuntime

/// A child process that runs ``ReaderProgram``, with the pipes to its standard input and from its standard output.
struct ReaderProcess: Sendable {
    /// The error for a process that could not be started.
    struct NotStarted: Error, CustomStringConvertible {
        var reason: SystemCallError

        var description: String { "the process that reads documents could not be started: \(reason)" }
    }

    /// The path of the executable of this process, also after an upgrade has replaced it.
    static let ownExecutable = "/proc/self/exe"
    /// The environment variables that the child gets; the others may contain secrets.
    private static let inherited = ["TZ", "LD_LIBRARY_PATH", "SWIFT_BACKTRACE", "ASAN_OPTIONS", "TSAN_OPTIONS"]

    let child: ChildProcess
    let input: FileHandle
    let output: FileHandle

    init(executable: String) throws(NotStarted) {
        let (input, output) = (Pipe(), Pipe())
        let command = ChildProcess.Command(
            executable,
            arguments: [CommandLine.arguments[0], ReaderProgram.option],
            environment: ProcessInfo.processInfo.environment.filter { Self.inherited.contains($0.key) }
        )
        do throws(SystemCallError) {
            child = try ChildProcess(
                command,
                input: input.fileHandleForReading.fileDescriptor,
                output: output.fileHandleForWriting.fileDescriptor
            )
        } catch {
            throw NotStarted(reason: error)
        }
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
    }

    /// A Boolean value that indicates whether the process has ended by itself.
    var hasEnded: Bool { child.hasEnded }

    /// Ends the process at once; `end` must be called, too.
    func interrupt() { child.send(SIGKILL) }

    /// Ends the process if it runs, and releases its number and the pipes.
    func end() {
        interrupt()
        _ = child.reap()
        try? input.close()
        try? output.close()
    }
}
