// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import ServiceRuntime
import Testing

@testable import CommandLineTool

/// Tests of the parsing of the command line.
@Suite struct ProgramTests {
    private func shown(_ arguments: String...) throws -> String {
        guard case .show(let text) = try Program.parse(arguments) else { throw UsageError(command: "", problem: "ran") }
        return text
    }

    @Test func helpIsTheSameByAnyWay() throws {
        let help = try shown()
        #expect(try shown("--help") == help)
        #expect(try shown("-h") == help)
        #expect(try shown("help") == help)
        for subcommand in Program.subcommands {
            #expect(help.contains("\n  \(subcommand.name) "))
            let text = try shown("help", subcommand.name)
            #expect(try shown(subcommand.name, "--help") == text)
            #expect(text.contains("Usage: tidings \(subcommand.name) [OPTION …]"))
        }
    }

    @Test func noLineOfTheHelpIsLongerThanATerminal() throws {
        for text in try [shown()] + Program.subcommands.map({ try shown("help", $0.name) }) {
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test func namesAreUnique() {
        #expect(Set(Program.subcommands.map { $0.name }).count == Program.subcommands.count)
        for subcommand in Program.subcommands {
            let options = subcommand.table.options
            #expect(Set(options.map(\.name)).count == options.count)
            let letters = options.compactMap(\.short)
            #expect(Set(letters).count == letters.count, "\(subcommand.name)")
        }
    }

    @Test func versionIsThatOfThePackageEverywhere() throws {
        let version = "tidings \(TidingsVersion.current)\n"
        #expect(try shown("--version") == version)
        #expect(try shown("get", "--version") == version)
    }
}
