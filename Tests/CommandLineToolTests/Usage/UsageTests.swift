// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// All the ways in which a person calls `tidings`, right and wrong, without running services.
@Suite(.timeLimit(.minutes(10)))
struct UsageTests {
    /// The number of commands that run at the same time.
    ///
    /// Most of a command's time is the start of its process.
    private static let commandsAtOnce = 4

    @Test func eachUsageIsAnsweredAsTheTableSays() async {
        await withTaskGroup(of: Void.self) { group in
            for (index, usage) in UsageTable.all.enumerated() {
                if index >= Self.commandsAtOnce { await group.next() }
                group.addTask {
                    do {
                        try await Self.expectAnswer(usage)
                    } catch {
                        Issue.record(error, "\(usage.testDescription)")
                    }
                }
            }
        }
    }

    private static func expectAnswer(_ usage: Usage) async throws {
        try await withTemporaryFolder { folder in
            try UsageFiles.write(to: folder)
            let environment = ["TIDINGS_BUS": "tcp://127.0.0.1:1"].merging(usage.environment) { $1 }
            let run = try await CommandRun.tidings(
                usage.arguments,
                input: Data(usage.input.utf8),
                environment: environment,
                in: folder
            )
            usage.expect(run)
            if run.status != 0 { #expect(!run.errors.isEmpty, "\(usage.testDescription) says nothing") }
        }
    }

    @Test func aLinkWhoseNameIsOneCharacterIsWrittenThrough() async throws {
        try await withTemporaryFolder { folder in
            let link = folder.appending(path: "a").path()
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new.yml")
            try await CommandRun.tidings(["init", "-o", "a"], in: folder).succeeded()
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "new.yml")
            #expect(try !Data(contentsOf: folder.appending(path: "new.yml")).isEmpty)
        }
    }

    @Test func thereAreManyUsages() {
        #expect(UsageTable.all.count >= 150)
        let names = UsageTable.all.map { "\($0.testDescription) \($0.input) \($0.environment)" }
        let repeated = Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys
        #expect(repeated.isEmpty, "\(repeated.sorted())")
    }

    @Test(arguments: PrintingCommands.alone)
    func aFullDiskIsAnError(_ command: String) async throws {
        let run = try await inFolder("\(command) > /dev/full")
        #expect(run.status == 1)
        #expect(run.errors.hasSuffix("tidings: standard output cannot be written: No space left on device\n"))
        let gone = try await inFolder(
            "{ \(PrintingCommands.waitUntilNobodyReads); \(command); echo $? > status; } | true; cat status"
        )
        #expect(gone.output == (PrintingCommands.needsReader(command) ? "1\n" : "0\n"), "\(gone.errors)")
    }

    @Test(arguments: PrintingCommands.lasting)
    func aCommandThatRunsUntilItIsStoppedEndsIfItCannotSayThatItIsReady(_ command: String) async throws {
        let alone = "bus: {address: 'tcp://127.0.0.1:0'}\nstore: ./alone\nwidgets: {a: {kind: feed, source: push}}"
        let run = try await inFolder(
            "printf \"\(alone)\" > alone.yml; export TIDINGS_GATEWAY=127.0.0.1:0; \(command) > /dev/full"
        )
        #expect(run.status == 1, "\(run.errors)")
        #expect(run.errors.contains("standard output cannot be written: No space left on device"), "\(run.errors)")
    }

    @Test func everyCommandIsTriedWithAFullDiskAndWithFilesThatCannotBeRead() {
        let printing =
            PrintingCommands.alone + PrintingCommands.lasting + PrintingCommands.elsewhere
            + PrintingCommands.served(configuration: "f").map { "tidings \($0)" }
        let tried = Set(printing.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) })
        for command in Program.subcommands { #expect(tried.contains(command.name), "\(command.name)") }
        let usages = UsageTable.all.map(\.arguments)
        for command in Program.subcommands {
            let files = command.table.options.filter { $0.value == "FILE" && $0.name != "output" }
            for option in files.map({ "--\($0.name)" }) {
                for file in ["missing", "/proc/self/mem"] {
                    let isTried = usages.contains { words in
                        words.first == command.name
                            && zip(words, words.dropFirst()).contains { $0 == option && $1.hasPrefix(file) }
                    }
                    #expect(isTried, "\(command.name) \(option) \(file)")
                }
            }
        }
    }

    @Test func aTokenThatNobodySawIsNotKept() async throws {
        let run = try await inFolder(
            "tidings token new --name a --config good.yml > /dev/full; tidings token list --config good.yml"
        )
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("standard output cannot be written"))
    }

    @Test(arguments: ["| true", ">&-"])
    func aTokenThatNobodyReadIsAFailure(_ end: String) async throws {
        let wait = end == "| true" ? PrintingCommands.waitUntilNobodyReads : ":"
        let run = try await inFolder(
            "{ \(wait); tidings token new --name a --config good.yml; echo $? > status; } \(end); cat status; "
                + "tidings token list --config good.yml"
        )
        #expect(run.output == "1\n")
        #expect(run.errors.contains(" was removed again\n"))
        #expect(run.errors.hasSuffix("standard output was not written completely, because it was closed\n"))
    }

    @Test func aBackupAndAPictureAreWrittenThroughWhatIsNoRegularFile() async throws {
        try await inFolder(
            """
            mkfifo pipe && ln -s target.yml link && ln -s nowhere/x.yml dangling && printf old > target.yml
            cat pipe > read & tidings init --output pipe 2> /dev/null || exit 1
            wait; [ -p pipe ] || exit 2
            grep -q swift.org read || exit 3
            chmod 640 target.yml
            tidings init --force --output link > /dev/null || exit 4
            [ -L link ] && grep -q swift.org target.yml || exit 5
            [ "$(stat -c %a target.yml)" = 640 ] || exit 6
            tidings init --output dangling 2> /dev/null; [ $? = 1 ] || exit 7
            tidings init --output /dev/null > /dev/null && [ -c /dev/null ] || exit 8
            [ "$(ls -A | grep -c '^\\.')" = 0 ] || exit 9
            """
        ).succeeded()
    }

    @Test func aRegularFileIsReplacedAsAWholeOrNotAtAll() async throws {
        // A file size limit stands for a full disk; the signal that comes with it is ignored.
        try await inFolder(
            """
            printf old > old.yml
            ( trap '' XFSZ; ulimit -f 0; tidings init --force --output old.yml > /dev/null 2> errors.pipe ) 2> /dev/null
            [ "$(cat old.yml)" = old ] || exit 2
            ls -A | grep '^\\.' && exit 3
            exit 0
            """
        ).succeeded()
    }

    private func inFolder(_ script: String) async throws -> CommandRun {
        try await withTemporaryFolder { folder in
            try UsageFiles.write(to: folder)
            // A source that needs no origin: it is refused.
            let served = "widgets: {a: {kind: feed, source: \"http://127.0.0.1:1/\"}}\n"
            try Data(served.utf8).write(to: folder.appending(path: "served.yml"))
            return try await CommandRun.bash("cd '\(folder.path())' && \(script)")
        }
    }
}
