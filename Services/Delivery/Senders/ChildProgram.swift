// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Glibc
import Locking

/// One run of a program: without a shell, with bytes on its standard input, and with a time limit.
///
/// The program gets only the environment that is given, no descriptor but the standard ones, and a process group of its own,
/// which is killed at the time limit. Its output is discarded.
struct ChildProgram: Sendable {
    /// The end of a run.
    enum End: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
        case timedOut
        /// The program could not be started; the value is the number of the error.
        case failed(errno: Int32)
    }

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
        guard let name = command.first else { return .failed(errno: ENOENT) }
        let file = Self.fileInMemory()
        guard file >= 0 else { return .failed(errno: errno) }
        defer { close(file) }
        do throws(SystemCallError) {
            try FileWriter.write(input.bytes, to: file)
        } catch {
            return .failed(errno: error.code)
        }
        lseek(file, 0, SEEK_SET)
        var number: pid_t = 0
        let failure = spawn(name, input: file, &number)
        return failure == 0 ? wait(for: number) : .failed(errno: failure)
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

    private func spawn(_ name: String, input: Int32, _ number: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        for descriptor in Self.ownDescriptors { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process blocks and ignores signals that the program must not.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let inherited = ProcessInfo.processInfo.environment.filter { Self.inherited.contains($0.key) }
        let variables = inherited.merging(environment) { _, given in given }
        let arguments = Self.cStrings(command)
        let settings = Self.cStrings(variables.map { "\($0.key)=\($0.value)" })
        defer { for text in arguments + settings { free(text) } }
        return posix_spawnp(&number, name, &actions, &attributes, arguments, settings)
    }

    /// The descriptors of this process that a program must not have; a number that is not open does no harm.
    private static var ownDescriptors: ClosedRange<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let first = STDERR_FILENO + 1
        return first...max(first, names.compactMap { Int32($0) }.max() ?? first)
    }

    /// Returns copies of the texts, which the caller must free, and a null pointer.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { (text: String) -> UnsafeMutablePointer<CChar>? in strdup(text) } + [nil]
    }

    /// The progress of a run, for the timer.
    private struct Progress {
        var hasEnded = false
        var wasKilled = false
    }

    private func wait(for number: pid_t) -> End {
        let progress = Lock(Progress())
        let timer = DispatchWorkItem {
            // The process is a zombie until `hasEnded` is set, so its number is not reused before.
            progress.withLock { progress in
                guard !progress.hasEnded else { return }
                progress.wasKilled = true
                kill(-number, SIGKILL)
            }
        }
        let (seconds, attoseconds) = timeout.components
        let deadline = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
        DispatchQueue.global().asyncAfter(deadline: deadline, execute: timer)
        var info = siginfo_t()
        while waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let wasKilled = progress.withLock { progress in
            progress.hasEnded = true
            return progress.wasKilled
        }
        timer.cancel()
        // Processes that the program has left behind.
        kill(-number, SIGKILL)
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0, errno == EINTR {}
        if wasKilled { return .timedOut }
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
    }
}

extension ChildProgram.End {
    /// Returns the reason why a program did not accept a message, as one sentence; `name` is its name.
    func reason(_ name: String) -> String {
        switch self {
        case .exited(let code): "\(name) ended with status \(code)."
        case .killed(let signal): "\(name) was ended by signal \(signal)."
        case .timedOut: "\(name) did not end in time, and was killed."
        case .failed(let error): "\(name) could not be started: \(String(cString: strerror(error)))."
        }
    }
}
