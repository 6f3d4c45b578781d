// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of the choice of the bus that a command connects to.
@Suite struct BusChoiceTests {
    private func choose(_ arguments: [String], _ environment: [String: String]) throws -> String {
        let options = try GetCommand.table.parse(["blog"] + arguments)
        return try BusChoice.address(options, environment: environment).short
    }

    private func withConfiguration(_ text: String, _ body: (String) throws -> Void) throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tidings.yml")
        try Data(text.utf8).write(to: file)
        try body(file.path())
    }

    @Test func theNearestWordCounts() throws {
        try withConfiguration("bus:\n  address: tcp://127.0.0.1:7003\n") { (file) throws -> Void in
            let environment = ["TIDINGS_CONFIG": file, "TIDINGS_BUS": "tcp://127.0.0.1:7002"]
            #expect(try choose(["--bus", "tcp://127.0.0.1:7001"], environment) == "tcp://127.0.0.1:7001")
            #expect(try choose([], environment) == "tcp://127.0.0.1:7002")
            #expect(try choose([], ["TIDINGS_CONFIG": file]) == "tcp://127.0.0.1:7003")
            #expect(try choose(["--config", file], [:]) == "tcp://127.0.0.1:7003")
            #expect(try choose([], ["TIDINGS_CONFIG": file, "TIDINGS_BUS": ""]) == "tcp://127.0.0.1:7003")
        }
    }

    @Test func aBrokenConfigurationDisturbsNobodyWhoNeedsOnlyTheBus() throws {
        try withConfiguration("buss: 1\n") { (file) throws -> Void in
            #expect(try choose(["-b", "ipc:///tmp/x"], ["TIDINGS_CONFIG": file]) == "ipc:///tmp/x")
            #expect(try choose([], ["TIDINGS_CONFIG": file]) == "tcp://127.0.0.1:5555")
            #expect(throws: ConfigurationErrors.self) { try choose(["--config", file + ".gone"], [:]) }
        }
        try withConfiguration("bus:\n  address: tcp://127.0.0.1:7003\nbuss: 1\n") { (file) throws -> Void in
            #expect(try choose([], ["TIDINGS_CONFIG": file]) == "tcp://127.0.0.1:7003")
        }
        // Another bus than the one that was meant must not be asked.
        try withConfiguration("bus:\n  address: tcp://127.0.0.1\n") { (file) throws -> Void in
            #expect(throws: CommandFailure.self) { try choose([], ["TIDINGS_CONFIG": file]) }
        }
    }

    @Test func addressesThatNobodyCanConnectToAreWrongUse() throws {
        for text in ["tcp://127.0.0.1:0", "udp://x:1", "tcp://x", "tcp://a;b:5555", "tcp://é:5555"] {
            #expect { try choose(["--bus", text], [:]) } throws: { ($0 as? CommandFailure)?.status == .wrongUse }
        }
        #expect(try choose(["--bus", "tcp://*:5555"], [:]) == "tcp://127.0.0.1:5555")
    }
}
