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
    private let process: ChildProcess
    /// The writing end of the pipe to the child's standard input; the child stops when this end is closed.
    private let input: Int32

    var number: Int32 { process.number }

    /// Starts an executable.
    ///
    /// `onLine` is called for each line of the child's standard output, and `onEnd` when the child has ended, on two
    /// separate threads. After `onEnd`, the caller must call `reap`, which releases the process id.
    static func start(
        _ command: ChildProcess.Command,
        onLine: @escaping @Sendable (String) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) throws(SystemCallError) -> Child {
        let input = try openPipe()
        let output: (reading: Int32, writing: Int32)
        do throws(SystemCallError) {
            output = try openPipe()
        } catch {
            close(input.reading)
            close(input.writing)
            throw error
        }
        defer {
            close(input.reading)
            close(output.writing)
        }
        var command = command
        command.environment[EnvironmentVariable.stopWithInput.name] = "1"
        // A reload or a stop that is requested before the child is ready for it waits.
        command.inheritsSignals = true
        let process: ChildProcess
        do throws(SystemCallError) {
            process = try ChildProcess(command, input: input.reading, output: output.writing)
        } catch {
            close(input.writing)
            close(output.reading)
            throw error
        }
        ServiceThread.start(named: "child-lines") { eachLine(of: output.reading, onLine) }
        ServiceThread.start(named: "child-end") {
            process.waitForEnd()
            onEnd()
        }
        return Child(process: process, input: input.writing)
    }

    /// Opens a pipe that no child inherits, also if it has the number of a standard descriptor.
    private static func openPipe() throws(SystemCallError) -> (reading: Int32, writing: Int32) {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { throw SystemCallError(errno) }
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return (descriptors[0], descriptors[1])
    }

    func send(_ signal: Int32) { process.send(signal) }

    /// Releases the process id of a child that has ended, and returns its exit status or signal.
    func reap() -> ChildEnd {
        close(input)
        return process.reap()
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
}
