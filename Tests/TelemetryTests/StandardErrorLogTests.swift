// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import Testing

@testable import Telemetry

@Suite(.timeLimit(.minutes(3))) struct StandardErrorLogTests {
    private func entry(_ message: String) -> LogEntry {
        LogEntry(time: Date(timeIntervalSince1970: 0), level: .info, label: "t", message: message)
    }

    private func withPipe(_ body: (_ reading: Int32, _ writing: Int32) throws -> Void) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        try body(ends[0], ends[1])
    }

    private func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func entriesArriveAsLines() throws {
        try withPipe { reading, writing in
            let log = StandardErrorLog(format: .text, descriptor: writing)
            log.write(entry("One."))
            log.write(entry("Two."))
            #expect(read(reading) == "1970-01-01T00:00:00.000Z info t: One.\n1970-01-01T00:00:00.000Z info t: Two.\n")
        }
    }

    @Test func aReaderThatDoesNotReadCostsEntriesButNoStandstillAndTheNextLineSaysSo() throws {
        try withPipe { reading, writing in
            let log = StandardErrorLog(format: .text, descriptor: writing)
            let long = String(repeating: "x", count: 3_000)
            for _ in 0..<40 { log.write(entry(long)) }
            let held = read(reading)
            let kept = held.split(separator: "\n").count
            log.write(entry("Again."))
            #expect(kept < 40)
            #expect(read(reading).hasSuffix("Again. dropped=\(40 - kept)\n"))
        }
    }

    @Test func aClosedStandardErrorIsIgnored() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        let log = StandardErrorLog(format: .text, descriptor: ends[1])
        for _ in 0..<100 { log.write(entry("Nobody reads this.")) }
        close(ends[1])
    }
}
