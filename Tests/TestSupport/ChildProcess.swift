// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
import Glibc
import Synchronization

/// A built executable of this package that runs for the length of a test.
///
/// Its standard input is a pipe that this process holds, and `TIDINGS_STOP_WITH_INPUT` is set: it does not outlive the
/// tests, even when they are killed. Its working folder is an own, empty one.
public final class ChildProcess: Sendable {
    /// How a process ended.
    public enum End: Sendable, Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    /// The lines of standard output, for one reader.
    public let output: AsyncStream<String>
    /// The lines of standard error, for one reader.
    public let errors: AsyncStream<String>

    private let process: Process
    private let input: Pipe
    private let reading: [Pipe]
    private let end = AsyncStream<End>.makeStream()

    private init(_ name: String, arguments: [String], environment: [String: String], folder: URL) throws {
        process = Process()
        input = Pipe()
        let pipes = (output: Pipe(), errors: Pipe())
        process.executableURL = Self.executable(name)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment =
            ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TIDINGS_") }
            .merging(["TIDINGS_STOP_WITH_INPUT": "1"]) { _, new in new }
            .merging(environment) { _, new in new }
        process.standardInput = input
        process.standardOutput = pipes.output
        process.standardError = pipes.errors
        reading = [pipes.output, pipes.errors]
        output = Self.lines(of: pipes.output)
        errors = Self.lines(of: pipes.errors)
        process.terminationHandler = { [end] process in
            let status = process.terminationStatus
            end.continuation.yield(process.terminationReason == .exit ? .exit(status) : .signal(status))
            end.continuation.finish()
        }
        try process.run()
    }

    /// Runs an executable for as long as `body` does, in a folder of its own that is removed afterwards.
    ///
    /// `files` are put into that folder before the start, by name.
    public static func with<Value>(
        _ name: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        files: [String: String] = [:],
        _ body: (ChildProcess) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (file, text) in files { try Data(text.utf8).write(to: folder.appending(path: file)) }
        let child = try ChildProcess(name, arguments: arguments, environment: environment, folder: folder)
        defer { if child.process.isRunning { child.send(SIGKILL) } }
        return try await body(child)
    }

    /// Where a built executable is: beside the tests.
    public static func executable(_ name: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
    }

    /// The number of the process.
    public var number: Int32 { process.processIdentifier }

    public func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Closes the child's standard input, as the death of this process would.
    public func closeInput() throws {
        try input.fileHandleForWriting.close()
    }

    /// The first line of standard output; nil where the child ends without one.
    public func firstLine() async -> String? {
        await output.first { _ in true }
    }

    /// All that is left on standard error until the child ends.
    public func remainingErrors() async -> [String] {
        await errors.reduce(into: []) { $0.append($1) }
    }

    /// Returns when the child has ended; once.
    public func waitForEnd() async -> End? {
        await end.stream.first { _ in true }
    }

    /// The lines of a pipe, read by a thread of their own.
    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        Thread.detachNewThread {
            var held: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                held += buffer[..<count]
                while let newline = held.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: held[..<newline], as: UTF8.self))
                    held.removeSubrange(...newline)
                }
            }
            if !held.isEmpty { continuation.yield(String(decoding: held, as: UTF8.self)) }
            continuation.finish()
        }
        return stream
    }
}
