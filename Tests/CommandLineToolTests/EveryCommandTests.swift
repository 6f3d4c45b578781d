// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Each command as somebody tries it who does not know it yet.
@Suite(.timeLimit(.minutes(2)))
struct EveryCommandTests {
    private static let all = Program.subcommands.map { $0.name }

    private static func table(_ name: String) throws -> any Subcommand.Type {
        try #require(Program.subcommands.first { $0.name == name })
    }

    @Test(arguments: all)
    func aMissingArgumentIsNamed(_ name: String) async throws {
        guard let missing = try Self.table(name).table.operands.first(where: { !$0.isOptional }) else { return }
        let run = try await CommandRun.tidings([name])
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("tidings \(name): the argument \(missing.name) is missing\n"))
    }

    @Test(arguments: [
        "tidings", "tidings help get", "tidings completion bash", "tidings completion zsh",
        "tidings inspect - <<< '<rss><channel><title>A</title></channel></rss>'", "tidings check tidings.yml",
    ])
    func aReaderThatGoesAwayIsNoError(_ command: String) async throws {
        let run = try await CommandRun.bash(
            """
            cd "$(mktemp -d)" && tidings init > /dev/null || exit 9
            { \(command); } | head -n 1 > first
            status=${PIPESTATUS[0]}
            [ -s first ] || exit 8
            rm -r "$PWD"
            exit $status
            """
        ).succeeded()
        #expect(run.errors.isEmpty)
        // Nobody reads at all.
        let closed = try await CommandRun.bash("{ \(command.replacing("check tidings.yml", with: "--help")); } >&-")
        #expect(closed.status == 0)
    }

    @Test func coloursAreForTerminalsThatWantThem() async throws {
        // A source that is refused without being asked.
        let prepare = """
            cd "$(mktemp -d)" && printf 'widgets: {a: {kind: feed, source: "http://127.0.0.1:1/"}}' > tidings.yml
            """
        let check = "tidings check --fetch"
        let terminal = "script --quiet --return --command '\(check)' /dev/null"
        let colored = try await CommandRun.bash("\(prepare); TERM=xterm \(terminal)")
        #expect(colored.status == 1)
        #expect(colored.output.contains("\u{1B}[31mfailed\u{1B}[0m"))
        #expect(colored.output.contains("0 of 1 sources asked …"))
        for command in ["NO_COLOR=1 TERM=xterm \(terminal)", "TERM=dumb \(terminal)", check] {
            let plain = try await CommandRun.bash("\(prepare); \(command)")
            #expect(plain.status == 1)
            #expect(plain.output.contains("failed  a: http://127.0.0.1:1/: "))
            #expect(!plain.output.contains("\u{1B}"))
        }
    }
}
