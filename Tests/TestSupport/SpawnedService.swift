// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
package import Foundation
internal import Locking
import MessageBus
package import ServiceRuntime
package import WidgetSchema

/// One of the package's executables as a child process, from its start to its end.
///
/// The child holds a pipe from this process and stops when it closes, so that no test leaves processes behind. Every
/// wait has a timeout.
package final class SpawnedService: Sendable {
    /// The failure of a child to do what a test waited for, with its output on standard error.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// A line of the child, or the end of its output.
    private enum Sign: Sendable {
        case line(String)
        case closed
    }

    private let executable: String
    private let process: Process
    private let input: Pipe
    private let lines = Inbox<Sign>(maximumCount: 10_000, maximumBytes: .max)
    private let exits = Inbox<Int32>(maximumCount: 1, maximumBytes: 0)
    private let errorText = Lock("")
    private let errorLines = Inbox<Sign>(maximumCount: 10_000, maximumBytes: .max)

    /// The maximum size of the kept standard error.
    private static let keptErrorText = 64 * 1024

    /// Starts `executable`: a path, or the name of an executable next to the running tests.
    ///
    /// `environment` is added to that of this process, without its Tidings variables. The child runs in `folder`, or in
    /// the working folder of this process.
    package init(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        in folder: URL? = nil
    ) throws {
        self.executable = executable
        process = Process()
        input = Pipe()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL =
            executable.hasPrefix("/") ? URL(filePath: executable) : Self.folder.appending(path: executable)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("TIDINGS_") }
            .merging(environment) { _, given in given }
            .merging([EnvironmentVariable.stopWithInput.name: "1"]) { given, _ in given }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { [exits] process in
            exits.post(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
        }
        try process.start()
        ServiceThread.start(named: "output") { [lines] in
            Self.eachLine(of: output) { lines.post(.line($0)) }
            lines.post(.closed)
        }
        ServiceThread.start(named: "errors") { [weak self, errorLines] in
            Self.eachLine(of: errors) { line in
                _ = errorLines.offer(.line(line), bytes: line.utf8.count)
                self?.errorText.withLock { text in
                    if text.utf8.count < Self.keptErrorText { text += line + "\n" }
                }
            }
            errorLines.post(.closed)
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The folder with the executables of this build.
    package static var folder: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    private static func eachLine(of pipe: Pipe, _ body: (String) -> Void) {
        var rest = Data()
        while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
            rest += data
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                body(String(decoding: rest[..<end], as: UTF8.self))
                rest = Data(rest[rest.index(after: end)...])
            }
        }
        if !rest.isEmpty { body(String(decoding: rest, as: UTF8.self)) }
    }

    package var processIdentifier: Int32 { process.processIdentifier }

    /// The child's output on standard error so far.
    package var standardError: String { errorText.withLock(\.self) }

    /// Returns the next line of standard output; nil at its end.
    package func nextLine(within timeout: Duration = .seconds(20)) async throws -> String? {
        let deadline = ContinuousClock.now + timeout
        let sign = try await ServiceThread.run(named: "wait") { [lines] in
            lines.nextBatch(maximum: 1, until: deadline).first
        }
        switch sign {
        case .line(let line): return line
        case .closed: return nil
        case nil: throw failure("wrote no line within \(timeout)")
        }
    }

    /// Returns the readiness line; drops lines before it.
    package func readiness(within timeout: Duration = .seconds(20)) async throws -> ReadinessLine {
        let deadline = ContinuousClock.now + timeout
        while let line = try await nextLine(within: deadline - .now) {
            if let readiness = ReadinessLine(line) { return readiness }
        }
        throw failure("ended before it was ready")
    }

    /// Sends a signal: `SIGKILL`, `SIGSTOP`, `SIGCONT`, `SIGTERM`.
    package func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Closes the child's standard input, as the end of its parent does.
    package func closeInput() throws {
        try input.fileHandleForWriting.close()
    }

    /// Waits for the end; returns the exit status, or the negative number of the signal that ended the child.
    package func exitStatus(within timeout: Duration = .seconds(20)) async throws -> Int32 {
        let deadline = ContinuousClock.now + timeout
        let status = try await ServiceThread.run(named: "wait") { [exits] in
            exits.nextBatch(maximum: 1, until: deadline).first
        }
        guard let status else { throw failure("did not end within \(timeout)") }
        return status
    }

    /// Waits for the end of standard error, which the child and all its children share, and therefore for their end.
    ///
    /// Returns all output on standard error.
    package func allEnded(within timeout: Duration = .seconds(20)) async throws -> String {
        let deadline = ContinuousClock.now + timeout
        while true {
            switch try await nextErrorSign(until: deadline) {
            case .closed: return standardError
            case .line: continue
            case nil: throw failure("or a child of it has not ended within \(timeout)")
            }
        }
    }

    /// Waits for a line on standard error that contains `text`; lines before it are dropped.
    package func errorLine(containing text: String, within timeout: Duration = .seconds(20)) async throws -> String {
        let deadline = ContinuousClock.now + timeout
        while case .line(let line) = try await nextErrorSign(until: deadline) {
            if line.contains(text) { return line }
        }
        throw failure("did not say '\(text)' within \(timeout)")
    }

    private func nextErrorSign(until deadline: ContinuousClock.Instant) async throws -> Sign? {
        try await ServiceThread.run(named: "wait") { [errorLines] in
            errorLines.nextBatch(maximum: 1, until: deadline).first
        }
    }

    private func failure(_ what: String) -> Failure {
        Failure(description: "\(executable) \(what). Its standard error:\n\(standardError)")
    }
}

/// Runs an executable as a child while `body` runs, in a folder of its own that is removed afterwards.
///
/// `files` are written into that folder before the start, by name. The child is killed if it still runs after `body`.
package func withSpawnedService<Result>(
    _ executable: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    files: [String: String] = [:],
    _ body: (SpawnedService) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (file, text) in files { try Data(text.utf8).write(to: folder.appending(path: file)) }
    let service = try SpawnedService(executable, arguments, environment: environment, in: folder)
    let result = try await body(service)
    // The child is killed when its last reference goes.
    withExtendedLifetime(service) {}
    return result
}

/// Runs the executable `bus` as a child while `body` runs; without an address, it chooses its ports.
package func withSpawnedBus<Result>(
    at address: BusAddress? = nil,
    _ body: (SpawnedService, BusAddress) async throws -> Result
) async throws -> Result {
    let service = try SpawnedService("bus", environment: ["TIDINGS_BUS": address?.description ?? "tcp://127.0.0.1:0"])
    let result = try await body(service, try BusAddress(spawned: try await service.readiness()))
    service.signal(SIGTERM)
    _ = try await service.exitStatus()
    return result
}

extension BusAddress {
    /// Reads the address of a bus from its readiness line.
    package init(spawned readiness: ReadinessLine) throws {
        let names = ["publish", "subscribe", "request"].map { readiness.values[$0] ?? "" }
        try self.init(names.joined(separator: ","))
    }
}
