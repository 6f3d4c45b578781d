// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import Locking
import MessageBus
import ServiceRuntime
import TestSupport
import WidgetSchema

/// The example `follow.py` or `follow.c` as a process: it follows every widget by the documented rules, and can be frozen.
final class FollowingProcess: Sendable {
    private struct Update: Sendable {
        var widget: String
        var first: UInt64
        var sequence: UInt64

        /// Reads a line of either program: WIDGET FIRST SEQUENCE …, or the event.
        ///
        /// Returns nil if it is none.
        init?(line: Data) {
            var words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
            if let event = try? JSONSerialization.jsonObject(with: line) as? [String: Any] {
                words = ["subject", "first", "sequence"].compactMap { event[$0] as? String }
            }
            guard words.count > 2, let first = UInt64(words[1]), let sequence = UInt64(words[2]) else { return nil }
            (widget, self.first, self.sequence) = (words[0], first, sequence)
        }
    }

    private static let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples")

    /// Runs `body` with the compiled `follow.c`.
    static func compiled(_ body: (URL) async throws -> Void) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let executable = folder.appending(path: "follow")
        let compiler = ["cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-o", executable.path]
        let sources = ["follow", "json", "zmtp"].map { examples.appending(path: "c/\($0).c").path }
        guard try await EndedProgram.run(compiler + sources).status == 0 else {
            throw DidNotArrive("Examples/c does not compile")
        }
        try await body(executable)
    }

    private struct State {
        var last: [String: UInt64] = [:]
        var faults: [String] = []
    }

    private let process: Process
    private let updates = Inbox<Update>(maximumCount: .max, maximumBytes: .max)
    private let state = Lock(State())

    /// Starts `follow.py`, or what `compile` made of `follow.c`.
    init(_ address: BusAddress, executable: URL? = nil) throws {
        guard case .tcp(let host, let subscribe) = address.subscribe, case .tcp(_, let request) = address.request else {
            throw DidNotArrive("a bus on TCP, but it is at \(address)")
        }
        let program = executable == nil ? [Self.examples.appending(path: "python/follow.py").path] : []
        process = Process()
        process.executableURL = executable ?? URL(filePath: "/usr/bin/python3")
        process.arguments = program + [host, "\(subscribe)", "\(request)"]
        let output = Pipe()
        process.standardOutput = output
        try process.start()
        ServiceThread.start(named: "follower") { [updates] in
            var rest = Data()
            while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    if let update = Update(line: Data(rest[..<end])) { updates.post(update) }
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
        }
    }

    /// The last cycle of each widget that was read.
    var last: [String: UInt64] { state.withLock(\.last) }

    /// Ranges that do not follow on those before them.
    var faults: [String] { state.withLock(\.faults) }

    func stopReading() { Glibc.kill(process.processIdentifier, SIGSTOP) }

    func readAgain() { Glibc.kill(process.processIdentifier, SIGCONT) }

    func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

    /// Reads what the process prints until its last cycles are as a test waits for them.
    func read(
        _ what: String,
        within timeout: Duration = .seconds(40),
        until isDone: @escaping @Sendable ([String: UInt64]) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + timeout
        let arrived = try await ServiceThread.run(named: "follower") { [self] in
            while !isDone(state.withLock(\.last)) {
                let batch = updates.nextBatch(maximum: 512, until: deadline)
                if batch.isEmpty, ContinuousClock.now >= deadline { return false }
                for update in batch { note(update) }
            }
            return true
        }
        guard arrived else { throw DidNotArrive("\(what); last: \(state.withLock(\.last))") }
    }

    private func note(_ update: Update) {
        state.withLock { state in
            if let last = state.last[update.widget], update.first != last + 1 {
                state.faults.append("\(update.widget): \(update.first)-\(update.sequence) follows on \(last)")
            }
            state.last[update.widget] = update.sequence
        }
    }
}
