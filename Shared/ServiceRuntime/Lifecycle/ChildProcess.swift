// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CGlibc
public import Configuration
internal import Glibc

/// A process that was started without a shell, in a process group of its own.
///
/// It gets the environment that is given and no other variable, the standard descriptors and no other one. Unless its command says
/// otherwise, it blocks and ignores no signal, whatever this process does.
public struct ChildProcess: Sendable {
    /// The process and its group have this number until ``reap()``.
    public let number: Int32

    /// A program with its arguments and its environment.
    public struct Command: Sendable {
        /// A name without a slash is searched in `PATH`.
        public var executable: String
        /// The arguments, the first of which is the name of the program.
        public var arguments: [String]
        public var environment: [String: String]
        /// A Boolean value that indicates whether the program blocks and ignores the signals that this process does.
        public var inheritsSignals = false

        public init(_ executable: String, arguments: [String], environment: [String: String]) {
            (self.executable, self.arguments, self.environment) = (executable, arguments, environment)
        }
    }

    /// Starts a program with descriptors for its standard input and output.
    ///
    /// Its standard error is that of this process. If `output` is nil, both outputs are discarded.
    public init(_ command: Command, input: Int32, output: Int32?) throws(SystemCallError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var failures = [posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)]
        if let output {
            failures.append(posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO))
        } else {
            for discarded in [STDOUT_FILENO, STDERR_FILENO] {
                failures.append(posix_spawn_file_actions_addopen(&actions, discarded, "/dev/null", O_WRONLY, 0))
            }
        }
        failures.append(posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1))
        // A descriptor may be invalid: the pipe could not be opened.
        if let failure = failures.first(where: { $0 != 0 }) { throw SystemCallError(failure) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let signals = command.inheritsSignals ? 0 : POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | signals))
        let arguments = Self.cStrings(command.arguments)
        let environment = Self.cStrings(command.environment.map { "\($0.key)=\($0.value)" })
        defer { for text in arguments + environment { free(text) } }
        var number: pid_t = 0
        let code = posix_spawnp(&number, command.executable, &actions, &attributes, arguments, environment)
        guard code == 0 else { throw SystemCallError(code) }
        self.number = number
    }

    /// Returns copies of the texts, which the caller must free, and a null pointer.
    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { (text: String) -> UnsafeMutablePointer<CChar>? in strdup(text) } + [nil]
    }

    /// A Boolean value that indicates whether the process has ended.
    public var hasEnded: Bool {
        var info = siginfo_t()
        // With `WNOWAIT`, the process remains a zombie, so its number is not reused.
        return waitid(P_PID, id_t(number), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_signo != 0
    }

    /// Waits until the process has ended; its number is valid until ``reap()``.
    public func waitForEnd() { while waitid(P_PID, id_t(number), nil, WEXITED | WNOWAIT) != 0 && errno == EINTR {} }

    public func send(_ signal: Int32) { kill(number, signal) }

    /// Ends the process and all others of its group at once.
    public func killGroup() { kill(-number, SIGKILL) }

    /// Waits until the process has ended, and releases its number.
    public func reap() -> ChildEnd {
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0 && errno == EINTR {}
        return ChildEnd(status: status)
    }
}
