// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The program of a ``ReaderProcess``: reads documents from standard input, and writes answers to standard output.
enum ReaderProgram {
    /// The only argument of the program, which is not an option of the service: only a fetcher starts the program.
    static let option = "--read-documents"
    /// The maximum time for one document, in seconds; then the process ends itself.
    static let timeLimit: UInt32 = 20
    /// The maximum memory for documents, in bytes; a process that needs more ends itself.
    static let memoryLimit = 192 * 1024 * 1024
    /// The maximum number of open descriptors.
    private static let descriptorLimit = 64

    /// Reads documents until standard input closes.
    static func run() {
        limitItself()
        do {
            while let frames = try ReaderFrames.read(2, from: .standardInput) {
                // The default action of SIGALRM ends the process, whatever it does.
                alarm(timeLimit)
                let task = try WireJSON.decode(ReadingTask.self, from: frames[0])
                let answer = try task.answer(for: frames[1])
                alarm(0)
                try ReaderFrames.write([answer], to: .standardOutput)
            }
        } catch {
            // The fetcher has ended.
            exit(1)
        }
    }

    private static func limitItself() {
        setLimit(RLIMIT_CORE, 0)
        setLimit(RLIMIT_NOFILE, descriptorLimit)
        setLimit(RLIMIT_DATA, dataBytes + memoryLimit)
        // If a container has no memory left, the kernel ends this process, and not the fetcher.
        try? FileHandle(forWritingAtPath: "/proc/self/oom_score_adj")?.write(contentsOf: Data("1000".utf8))
    }

    private static func setLimit(_ resource: __rlimit_resource, _ value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }

    /// The memory for data that the process has at its start, in bytes: the sixth number in `statm`, in pages.
    private static var dataBytes: Int {
        let numbers = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return numbers.count > 5 ? (Int(numbers[5]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }
}
