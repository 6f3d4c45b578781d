// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Glibc
import Locking
import ServiceRuntime

/// One run of a program: without a shell, with bytes on its standard input, and with a time limit.
///
/// The program gets only the environment that is given, no descriptor but the standard ones, and a process group of its own,
/// which is killed at the time limit. Its output is discarded.
struct ChildProgram: Sendable {
    /// The end of a run; nil stands for the time limit.
    typealias End = ChildEnd?

    /// The variables of this process that programs get; the others may be secrets.
    static let inherited = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "SSL_CERT_FILE"]

    /// The program and its arguments; a name without a slash is searched in `PATH`.
    var command: [String]
    /// Variables in addition to the inherited ones.
    var environment: [String: String] = [:]
    var input = Data()
    var timeout: Duration

    /// Runs the program, and blocks until it has ended.
    func run() -> End {
        guard let name = command.first else { return .notStarted(ENOENT) }
        let inherited = ProcessInfo.processInfo.environment.filter { Self.inherited.contains($0.key) }
        let program = ChildProcess.Command(
            name,
            arguments: command,
            environment: inherited.merging(environment) { _, given in given }
        )
        let file = Self.fileInMemory()
        guard file >= 0 else { return .notStarted(errno) }
        defer { close(file) }
        do throws(SystemCallError) {
            try FileWriter.write(input.bytes, to: file)
            lseek(file, 0, SEEK_SET)
            return wait(for: try ChildProcess(program, input: file, output: nil))
        } catch {
            return .notStarted(error.code)
        }
    }

    /// Returns the descriptor of an empty file in memory.
    ///
    /// If the file cannot be made, returns -1 and sets `errno`.
    /// A pipe would have to be as large as the input, and the system limits the pages that the pipes of a user may have.
    private static func fileInMemory() -> Int32 {
        // The name is gone before anything is written, and other programs do not get the descriptor (`FD_CLOEXEC`, POSIX).
        let name = "/tidings-\(UUID().uuidString)"
        let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
        if file >= 0 { shm_unlink(name) }
        return file
    }

    /// The progress of a run, for the timer.
    private struct Progress {
        var hasEnded = false
        var wasKilled = false
    }

    private func wait(for child: ChildProcess) -> End {
        let progress = Lock(Progress())
        let timer = DispatchWorkItem {
            // The process is a zombie until `hasEnded` is set, so its number is not reused before.
            progress.withLock { progress in
                guard !progress.hasEnded else { return }
                progress.wasKilled = true
                child.killGroup()
            }
        }
        let (seconds, attoseconds) = timeout.components
        let deadline = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
        DispatchQueue.global().asyncAfter(deadline: deadline, execute: timer)
        child.waitForEnd()
        let wasKilled = progress.withLock { progress in
            progress.hasEnded = true
            return progress.wasKilled
        }
        timer.cancel()
        // Processes that the program has left behind.
        child.killGroup()
        let end = child.reap()
        return wasKilled ? nil : end
    }

    /// Returns the reason why a program did not accept a message, as one sentence; `name` is its name.
    static func reason(_ end: End, of name: String) -> String {
        switch end {
        case .exit(let code): "\(name) ended with status \(code)."
        case .signal(let number): "\(name) was ended by signal \(number)."
        case .notStarted(let error): "\(name) could not be started: \(SystemCallError(error))."
        case nil: "\(name) did not end in time, and was killed."
        }
    }
}
