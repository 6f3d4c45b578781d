// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation
internal import Glibc

/// The children of processes, as the kernel lists them.
package enum ChildProcesses {
    /// Returns the live children of a process that have an argument.
    package static func numbers(of parent: Int32, argument: String) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { number in
            let arguments = read(number, "cmdline").split(separator: "\0").map(String.init)
            let lines = read(number, "status").split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
            return arguments.contains(argument) && lines.contains(["PPid:", "\(parent)"])
        }
    }

    private static func read(_ number: Int32, _ file: String) -> String {
        (try? String(contentsOfFile: "/proc/\(number)/\(file)", encoding: .utf8)) ?? ""
    }

    /// Waits until a suspended process has something to read at its standard input, which is a pipe.
    package static func waitForInput(of number: Int32, within timeout: Duration = .seconds(20)) async throws {
        try await onOwnThread {
            let pipe = open("/proc/\(number)/fd/0", O_RDONLY | O_NONBLOCK)
            defer { close(pipe) }
            var descriptor = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            guard pipe >= 0, poll(&descriptor, 1, Int32(timeout / .milliseconds(1))) == 1 else {
                throw DidNotArrive("input of the process \(number)")
            }
        }
    }
}
