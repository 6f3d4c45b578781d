// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import CommandLineTool

/// Completion, in the shell itself.
@Suite(.timeLimit(.minutes(3)))
struct CompletionCommandTests {
    /// Returns the completions that bash offers for the last of the words.
    private func offered(_ words: [String], in folder: String = "/") async throws -> [String] {
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let run = try await CommandRun.bash(
            """
            set -u
            cd '\(folder)'
            source <(tidings completion bash)
            COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
            _tidings
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        )
        #expect(run.errors.isEmpty)
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test func commandsAreOffered() async throws {
        let all = try await offered(["tidings", ""])
        #expect(Set(all) == Set(Program.subcommands.map { $0.name } + ["help", "version", "--help", "--version"]))
        #expect(try await offered(["tidings", "subs"]) == ["subscribe"])
        #expect(try await offered(["tidings", "help", "expl"]) == ["explain"])
    }

    @Test func everyOptionOfEachCommandIsOffered() async throws {
        for subcommand in [GetCommand.self, PushCommand.self, InitCommand.self] as [any Subcommand.Type] {
            let options = try await offered(["tidings", subcommand.name, "--"])
            #expect(options == subcommand.table.options.map { "--\($0.name)" })
        }
    }

    @Test func choicesAreOfferedWhereTheyBelong() async throws {
        #expect(try await offered(["tidings", "send", "blog", ""]) == Command.Name.allCases.map(\.rawValue))
        #expect(try await offered(["tidings", "send", "--bus", "x", "blog", "setExpanded", "t"]) == ["true"])
        #expect(try await offered(["tidings", "inspect", "--kind", ""]) == WidgetKind.allCases.map(\.rawValue))
        #expect(try await offered(["tidings", "inspect", "--kind", "=", "f"]) == ["feed", "forecast"])
        #expect(try await offered(["tidings", "completion", ""]) == ["bash", "zsh", "fish"])
        #expect(try await offered(["tidings", "health", "not"]) == ["notifier"])
        #expect(try await offered(["tidings", "get", "--bus", ""]).isEmpty)
    }

    @Test func filesAreOfferedWhereAFileIsExpected() async throws {
        try await withTemporaryFolder { folder in
            try Data().write(to: folder.appending(path: "my feeds.opml"))
            #expect(try await offered(["tidings", "init", "--opml", "my"], in: folder.path()) == ["my feeds.opml"])
            #expect(try await offered(["tidings", "push", "blog", "my"], in: folder.path()) == ["my feeds.opml"])
        }
    }

    @Test func theScriptOfZshHasEveryCommandAndOption() {
        let script = ZshCompletion(command: "tidings", tables: Program.subcommands.map { $0.table }).script
        for subcommand in Program.subcommands {
            #expect(script.contains("    \(subcommand.name))\n        _arguments "))
            #expect(script.contains("'\(subcommand.name):"))
        }
        #expect(script.contains("'(-c --config)'{-c+,--config=}'[Read the configuration from FILE"))
        #expect(script.contains(":FILE:_files'"))
        #expect(script.contains("'2:COMMAND:(setExpanded performUpdate refresh nextValue)'"))
    }
}
