// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import TestSupport
import Testing

/// Commands that need the services, with all of them running.
@Suite(.timeLimit(.minutes(3)))
struct ServedCommandTests {
    private static let feed =
        "<rss version=\"2.0\"><channel><title>Notes</title><item><title>A post</title></item></channel></rss>"

    private func withBlog(_ body: (ServedWidgets) async throws -> Void) async throws {
        try await ServedWidgets.with(["blog": "/blog.xml"]) { origin in
            origin.serve("/blog.xml", body: Self.feed)
        } _: { served in
            _ = try await served.firstContent(of: "blog")
            try await body(served)
        }
    }

    @Test func everyCommandReportsAFullDiskAndOnlyAResultNeedsAReader() async throws {
        try await withBlog { served in
            let commands = PrintingCommands.served(configuration: served.file.path())
            #expect(try await bash("tidings token new --name full --config \(served.file.path())", served).status == 0)
            for command in commands {
                let full = try await bash("tidings \(command) > /dev/full", served)
                #expect(full.status == 1, "\(command): \(full.errors)")
                let reason = "tidings: standard output cannot be written: No space left on device\n"
                #expect(full.errors == reason, "\(command)")
                let gone = try await bash(
                    "{ \(PrintingCommands.waitUntilNobodyReads); tidings \(command); echo $? >&2; } | true",
                    served
                )
                let closed = "tidings: standard output was not written completely, because it was closed\n1\n"
                #expect(gone.errors == (PrintingCommands.needsReader(command) ? closed : "0\n"), "\(command)")
            }
            for file in ["/dev/full", "/"] {
                for command in ["render blog -d phone-classic -f png -o", "backup --config \(served.file.path())"] {
                    let run = try await bash("tidings \(command) \(file)", served)
                    #expect(run.status == (file == "/" ? 2 : 1), "\(command) \(file): \(run.errors)")
                    #expect(run.errorLines.count == 1)
                }
            }
        }
    }

    @Test func aBackupGoesIntoAPipeAndComesBackFromIt() async throws {
        try await withBlog { served in
            try await bash(
                """
                cd "$(mktemp -d)" && mkfifo pipe && { cat pipe > copy.tar & } && config='\(served.file.path())'
                tidings backup --config "$config" pipe 2> /dev/null || exit 1
                wait $!; [ -p pipe ] || exit 2
                tar --list --file copy.tar | grep -q cache.sqlite || exit 3
                tidings backup --config "$config" - | tar --list --file - | grep -q notifier.sqlite || exit 5
                tidings restore --config "$config" copy.tar || exit 4
                tidings restore --config "$config" copy.tar > /dev/full 2> errors; [ $? = 1 ] || exit 6
                grep -q 'standard output cannot be written: No space left on device' errors || exit 7
                { tidings restore --config "$config" copy.tar; echo $? > status; } | true
                [ "$(cat status)" = 0 ] || exit 8
                """,
                served
            ).succeeded()
        }
    }

    @Test func aBackupWhoseReaderIsGoneFails() async throws {
        try await withBlog { served in
            let backup = "tidings backup --config '\(served.file.path())' -"
            let run = try await bash("\(backup) | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}", served)
            #expect(run.status == 1)
            #expect(run.errors == "tidings: standard output was not written completely, because it was closed\n")
        }
    }

    @Test func theWidgetsAreListed() async throws {
        try await withBlog { served in
            #expect(try await served.tidings("list", "--quiet").output.contains("blog\n"))
            let table = try await served.tidings("list")
            #expect(table.output.hasPrefix("WIDGET "))
            #expect(table.output.contains("firstContent   A post\n"), "\(table.output)")
            #expect(try await served.tidings("get").output.contains("A post"))
            let displays = try await served.tidings("list", "displays")
            #expect(displays.output == "phone-classic\nphone-compact\nphone-expanded\n")
            #expect(try await served.tidings("list", "topics").output.contains("update/newData/blog/\n"))
            let unknown = try await served.tidings("subscribe", "--count", "1", "update/newData/blgo/", "heads/")
            #expect(unknown.errors.contains("no update of a widget 'blgo' yet; did you mean 'blog'?"))
            let render = "tidings render blog -d phone-classic -f png -o a.svg"
            let wrongEnding = try await bash("cd $(mktemp -d); \(render)", served).succeeded()
            #expect(wrongEnding.errors == "tidings: 'a.svg' ends in .svg, but is written as png\n")
            let gone = try await served.tidings(line: "render blog -d phone-classic -n 7 -f svg -o -")
            #expect(gone.status == 1)
            #expect(gone.output.isEmpty)
        }
    }

    @Test(arguments: ["cache", "bus"])
    func aFrozenServiceIsReplaced(_ service: String) async throws {
        try await withBlog { served in
            let before = try served.process(service)
            try served.freeze(service)
            // Waits for the fact: the services answer again, all of them.
            let deadline = ContinuousClock.now + .seconds(60)
            while try await served.tidings("send", "blog", "setExpanded", "true").status != 0,
                ContinuousClock.now < deadline
            {}
            #expect(try served.process(service) != before)
            try await served.waitForError("A service does not answer; replacing it.")
        }
    }

    @Test func aSignalReloadsTheConfiguration() async throws {
        try await withBlog { served in
            let more = try String(contentsOf: served.file, encoding: .utf8) + "\n  more: {kind: feed, source: push}\n"
            // The file stays open, so that a watch of its folder notices nothing: the signal alone tells.
            let handle = try FileHandle(forWritingTo: served.file)
            defer { try? handle.close() }
            try handle.write(contentsOf: Data(more.utf8))
            served.signal(SIGHUP)
            let pushed = { try await served.tidings("push", "more", "-", input: "[{\"title\":\"New\"}]") }
            let deadline = ContinuousClock.now + .seconds(30)
            while try await pushed().status != 0, ContinuousClock.now < deadline {}
            #expect(try await served.tidings("list", "--quiet").output.contains("more\n"))
            try await served.waitForError("Reloading the configuration.")
        }
    }

    private func bash(_ script: String, _ served: ServedWidgets) async throws -> CommandRun {
        try await CommandRun.bash(script, environment: served.environment)
    }
}
