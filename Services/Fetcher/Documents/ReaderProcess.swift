// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A child process that runs ``ReaderProgram``, with the pipes to its standard input and from its standard output.
struct ReaderProcess: Sendable {
    /// The error for a process that could not be started.
    struct SpawnError: Error, CustomStringConvertible {
        var errno: Int32

        var description: String { "the process that reads documents could not be started (errno \(errno))" }
    }

    /// The path of the executable of this process, also after an upgrade has replaced it.
    static let ownExecutable = "/proc/self/exe"
    /// The environment variables that the child gets; the others may contain secrets.
    private static let inherited = ["TZ", "LD_LIBRARY_PATH", "SWIFT_BACKTRACE", "ASAN_OPTIONS", "TSAN_OPTIONS"]

    let number: pid_t
    let input: FileHandle
    let output: FileHandle

    /// Starts the program; the child closes the descriptors that it inherits, except the two pipes and standard error.
    init(executable: String) throws {
        let (input, output) = (Pipe(), Pipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.fileHandleForReading.fileDescriptor, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
        let variables = ProcessInfo.processInfo.environment.filter { Self.inherited.contains($0.key) }
        let arguments = Self.cStrings([CommandLine.arguments[0], ReaderProgram.option])
        let environment = Self.cStrings(variables.map { "\($0.key)=\($0.value)" })
        defer { for text in arguments + environment { free(text) } }
        var number: pid_t = 0
        let failure = posix_spawn(&number, executable, &actions, nil, arguments, environment)
        guard failure == 0 else { throw SpawnError(errno: failure) }
        self.number = number
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
    }

    /// Returns copies of the texts, which the caller must free, and a null pointer.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { (text: String) -> UnsafeMutablePointer<CChar>? in strdup(text) } + [nil]
    }

    /// A Boolean value that indicates whether the process has ended by itself.
    var hasEnded: Bool {
        var info = siginfo_t()
        // With `WNOWAIT`, the process remains a zombie until `end`, so its number is not reused before.
        return waitid(P_PID, id_t(number), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_signo != 0
    }

    /// Ends the process at once; `end` must be called, too.
    func interrupt() { kill(number, SIGKILL) }

    /// Ends the process if it runs, and releases its number and the pipes.
    func end() {
        interrupt()
        while waitpid(number, nil, 0) < 0 && errno == EINTR {}
        try? input.close()
        try? output.close()
    }
}
