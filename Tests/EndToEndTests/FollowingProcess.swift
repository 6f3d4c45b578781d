// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import MessageBus
import ServiceRuntime
import Synchronization
import TestSupport
import WidgetSchema

/// The example `follow.py` as a process: it follows every widget by the documented rules, and can be frozen.
final class FollowingProcess: Sendable {
    private struct Update: Sendable {
        var widget: String
        var first: UInt64
        var sequence: UInt64
    }

    private struct State {
        var last: [String: UInt64] = [:]
        var faults: [String] = []
    }

    private let process: Process
    private let updates = Inbox<Update>(maximumCount: .max, maximumBytes: .max)
    private let state = Mutex(State())

    init(_ address: BusAddress) throws {
        guard case .tcp(let host, let subscribe) = address.subscribe, case .tcp(_, let request) = address.request else {
            throw DidNotArrive("a bus on TCP, but it is at \(address)")
        }
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Examples/python/follow.py")
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [program.path, host, "\(subscribe)", "\(request)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        ServiceThread.start(named: "follower") { [updates] in
            var rest = Data()
            while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
                    if words.count > 2, let first = UInt64(words[1]), let sequence = UInt64(words[2]) {
                        updates.post(Update(widget: String(words[0]), first: first, sequence: sequence))
                    }
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
        }
    }

    /// Ranges that do not follow on those before them.
    var faults: [String] { state.withLock(\.faults) }

    func stopReading() { Glibc.kill(process.processIdentifier, SIGSTOP) }

    func readAgain() { Glibc.kill(process.processIdentifier, SIGCONT) }

    func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

    /// Reads what the process prints until its last cycles are as a test waits for them.
    func read(
        _ what: String,
        within patience: Duration = .seconds(40),
        until isDone: @escaping @Sendable ([String: UInt64]) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + patience
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
