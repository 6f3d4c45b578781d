// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Glibc
import ServiceRuntime

/// A child process that stops when this process ends for any reason.
///
/// The child's standard input is a pipe whose writing end is open only in this process. `TIDINGS_STOP_WITH_INPUT` makes
/// the child stop when the pipe closes. The child has its own process group, so that Ctrl-C does not reach it directly
/// and the parent can stop its children in order. Parent and child share standard error.
struct Child: Sendable {
    let number: pid_t
    /// The writing end of the pipe to the child's standard input; the child stops when this end is closed.
    private let input: Int32

    /// An executable with its arguments and its environment.
    struct Command {
        let path: String
        var arguments: [String] = []
        let environment: [String: String]
    }

    /// Starts an executable; throws a `SpawnError` if it cannot be started.
    ///
    /// `onLine` is called for each line of the child's standard output, and `onEnd` when the child has ended, on two
    /// separate threads. After `onEnd`, the caller must call `reap`, which releases the process id.
    static func start(
        _ command: Command,
        onLine: @escaping @Sendable (String) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) throws(SpawnError) -> Child {
        let input = try DescriptorPair.open()
        let output: DescriptorPair
        do {
            output = try DescriptorPair.open()
        } catch {
            input.close()
            throw error
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var environment = command.environment
        environment[EnvironmentVariable.stopWithInput.name] = "1"
        var number: pid_t = 0
        let failure = withCStrings([command.path] + command.arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&number, command.path, &actions, &attributes, arguments, variables)
            }
        }
        Glibc.close(input.reading)
        Glibc.close(output.writing)
        guard failure == 0 else {
            Glibc.close(input.writing)
            Glibc.close(output.reading)
            throw SpawnError(errno: failure)
        }
        let child = Child(number: number, input: input.writing)
        ServiceThread.start(named: "child-lines") { eachLine(of: output.reading, onLine) }
        ServiceThread.start(named: "child-end") { [number] in
            // With `WNOWAIT`, the child remains a zombie until `reap`, so that its process id is not reused before.
            while waitid(P_PID, id_t(number), nil, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
            onEnd()
        }
        return child
    }

    func send(_ signal: Int32) { kill(number, signal) }

    /// Releases the process id of a child that has ended, and returns its exit status or signal.
    func reap() -> ChildEnd {
        var status: Int32 = 0
        while waitpid(number, &status, 0) < 0 && errno == EINTR {}
        close(input)
        return ChildEnd(status: status)
    }

    private static let longestLine = 4_096

    private static func eachLine(of descriptor: Int32, _ body: (String) -> Void) {
        defer { close(descriptor) }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: longestLine)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            for byte in buffer[..<count] {
                if byte == UInt8(ascii: "\n") {
                    body(String(decoding: line, as: UTF8.self))
                    line.removeAll(keepingCapacity: true)
                } else if line.count < longestLine {
                    line.append(byte)
                }
            }
        }
    }

    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}

/// The error for a child process that could not be started.
struct SpawnError: Error, Hashable {
    var errno: Int32
}

/// A pipe that child processes do not inherit.
///
/// If a child inherited the pipe of another child, it would keep the standard input of that child open, and that child
/// would not stop.
private struct DescriptorPair {
    let reading: Int32
    let writing: Int32

    static func open() throws(SpawnError) -> DescriptorPair {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { throw SpawnError(errno: errno) }
        // `pipe2` would set the flag atomically, but this C module does not export it. Only one thread starts children,
        // so no child can inherit the pipe in between.
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return DescriptorPair(reading: descriptors[0], writing: descriptors[1])
    }

    func close() {
        Glibc.close(reading)
        Glibc.close(writing)
    }
}
