// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation

/// The children of processes, as the kernel lists them.
package enum ChildProcesses {
    /// Returns the live children of a process.
    private static func numbers(of parent: Int32) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
            .filter { read($0, "status").contains("\nPPid:\t\(parent)\n") }
    }

    /// Returns the live children of a process that have an argument.
    package static func numbers(of parent: Int32, argument: String) throws -> [Int32] {
        try numbers(of: parent).filter { read($0, "cmdline").split(separator: "\0").contains { $0 == argument } }
    }

    /// Returns the live children of a process that have an environment variable which begins so.
    package static func numbers(of parent: Int32, variable start: String) throws -> [Int32] {
        try numbers(of: parent).filter { read($0, "environ").split(separator: "\0").contains { $0.hasPrefix(start) } }
    }

    /// Returns the live children of a process by the names of their executables.
    package static func names(of parent: Int32) throws -> [String: Int32] {
        let named = try numbers(of: parent).map { (read($0, "comm").trimmingCharacters(in: .newlines), $0) }
        return Dictionary(named) { first, _ in first }
    }

    /// Returns a file of a process, such as `status` or `maps`; empty if the process has ended.
    package static func read(_ number: Int32, _ file: String) -> String {
        // These files have no size, and Foundation reads one page of such a file unless it is read to its end.
        let handle = FileHandle(forReadingAtPath: "/proc/\(number)/\(file)")
        return String(decoding: (try? handle?.readToEnd()) ?? Data(), as: UTF8.self)
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
