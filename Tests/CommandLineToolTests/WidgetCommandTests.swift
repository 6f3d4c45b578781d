// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import TestSupport
import Testing
import WidgetSchema

/// Tests of the commands that ask the services about a widget, with all services running.
@Suite(.timeLimit(.minutes(3)))
struct WidgetCommandTests {
    private static func feed(_ titles: [String]) -> String {
        let items = titles.map {
            "<item><title>\($0)</title><author>Ada</author><pubDate>Sat, 21 Nov 2026 00:49:16 GMT</pubDate></item>"
        }
        return "<rss version=\"2.0\"><channel><title>Notes</title>\(items.joined())</channel></rss>"
    }

    private func withBlog(_ body: (ServedWidgets) async throws -> Void) async throws {
        try await ServedWidgets.with(["blog": "/blog.xml"]) { origin in
            origin.serve("/blog.xml", body: Self.feed((1...9).map { "Post \($0)" }))
        } _: { served in
            try await body(served)
        }
    }

    @Test func aDisplayIsDrawnInText() async throws {
        try await withBlog { served in
            _ = try await served.firstContent(of: "blog")
            let drawn = try await served.tidings(
                "get",
                "blog",
                "--display",
                "phone-classic",
                with: ["LC_ALL": "C.UTF-8"]
            ).succeeded()
            let lines = drawn.output.split(separator: "\n")
            #expect(lines.first?.first == "┌")
            #expect(lines.dropLast().allSatisfy { $0.count == 80 }, "\(drawn.output)")
            #expect(lines.dropFirst().first?.hasPrefix("│ Post 1 ") == true)
            #expect(drawn.output.contains("│ Ada "))
            #expect(drawn.output.contains("[ Show more ]"))
            #expect(lines.last?.hasPrefix("blog on phone-classic · 359 × ") == true)
            let ascii = try await served.tidings("get", "blog", "-d", "phone-compact", with: ["LC_ALL": "C"])
            #expect(ascii.output.unicodeScalars.allSatisfy { $0.isASCII }, "\(ascii.output)")
            let unknown = try await served.tidings("get", "blog", "--display", "phone-classik")
            #expect(unknown.status == 1)
            #expect(unknown.output.isEmpty)
            #expect(unknown.errors.contains("'blog' has no display 'phone-classik'; did you mean 'phone-classic'?"))
            let other = try await served.tidings("get", "blog", "--display", "wall")
            #expect(other.errors.contains("it has phone-classic, phone-compact, phone-expanded"))
        }
    }

    @Test func aDisplayIsDrawnAsAPicture() async throws {
        try await withBlog { served in
            let first = try await served.firstContent(of: "blog")
            try await withTemporaryFolder { folder in
                func render(_ file: String, _ more: String..., display: String = "phone-expanded") async throws
                    -> (run: CommandRun, data: Data?)
                {
                    let path = folder.appending(path: file).path()
                    let arguments = ["render", "blog", "--display", display, "--output", path] + more
                    let run = try await CommandRun.tidings(arguments, environment: served.environment)
                    return (run, try? Data(contentsOf: URL(filePath: path)))
                }
                let png = try await render("blog.png", "--sequence", "\(first)")
                #expect(png.run.status == 0, "\(png.run.errors)")
                #expect(png.run.output.isEmpty && png.run.errors.isEmpty)
                #expect(png.data?.starts(with: Data([0x89] + "PNG\r\n".utf8)) == true)
                let dark = try await render("dark.png", "--appearance", "dark")
                #expect(dark.run.status == 0)
                #expect(dark.data != nil && dark.data != png.data)
                let svg = try await render("blog.SVG")
                #expect(svg.run.status == 0, "\(svg.run.errors)")
                let text = svg.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
                #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>\n"))
                #expect(text.contains(">Post 1</text>"))
                let piped = try await served.tidings("render", "blog", "-d", "phone-expanded", "-f", "svg", "-o", "-")
                #expect(piped.output == text)

                let nowhere = try await render("no.png", display: "phone-x")
                #expect(nowhere.run.status == 1)
                #expect(nowhere.data == nil)
                let places = "'phone-x'; it is on: phone-classic, phone-compact, phone-expanded"
                #expect(nowhere.run.errors.contains(places))
                let future = try await render("no.png", "--sequence", "\(first + 1_000_000)")
                #expect(future.run.status == 1)
                #expect(future.data == nil)
                let folderless = try await render("none/blog.png")
                #expect(folderless.run.status == 1)
                #expect(folderless.run.errors.contains("none/blog.png: it cannot be written"))
            }
        }
    }

    @Test func aCycleIsExplained() async throws {
        try await withBlog { served in
            let first = try await served.firstContent(of: "blog")
            let start = try await served.tidings("explain", "blog", "\(first)").succeeded()
            #expect(start.output.contains("newData (firstContent): It is the first content of the widget"))
            #expect(start.output.contains("introduced by this cycle"))
            for hop in ["answered", "committed", "laid out", "decided"] { #expect(start.output.contains("  \(hop) ")) }
            #expect(start.output.contains("s  by the notifier"))
            // A press of the button changes the one display that has it.
            try await served.tidings("send", "blog", "setExpanded", "true").succeeded()
            let pressed = try await served.tidings("explain", "blog")
            #expect(pressed.output.contains("somebody pressed a button of the widget (interaction)"))
            #expect(pressed.output.contains("Displays that changed visibly: phone-classic."))
            #expect(pressed.output.contains("phone-classic   changed    "))
            #expect(pressed.output.contains(" -> "))
            #expect(pressed.output.contains("phone-compact   unchanged  "))
            #expect(pressed.output.contains("introduced by cycle \(first), dated 20"))

            let events = try await served.tidings("explain", "blog", "\(first)", "--json")
            #expect(events.status == 0 && events.output.split(separator: "\n").count == 1, "\(events.errors)")
            struct Hop: Decodable {
                var subject: String
                var sequence: String
                var type: String
            }
            struct Hops: Decodable {
                var update: Hop
                var refreshed: Hop
                var laidOut: Hop
            }
            // Before the first content was a cycle without.
            let hops = try JSONDecoder().decode(Hops.self, from: Data(events.output.utf8))
            #expect(hops.update.type == "tidings.update.v1")
            for hop in [hops.update, hops.refreshed, hops.laidOut] {
                #expect(hop.subject == "blog")
                #expect(UInt64(hop.sequence) == first, "\(hop)")
            }

            let future = try await served.tidings("explain", "blog", "\(first + 1_000)")
            #expect(future.status == 1)
            #expect(future.errors.contains("there is no cycle \(first + 1_000) of 'blog' yet; the last is "))
            let past = try await served.tidings("explain", "blog", "7")
            #expect(past.status == 1)
            #expect(past.errors.contains("is no longer stored, or never existed; the oldest stored is "))
            let stranger = try await served.tidings("explain", "blgo")
            #expect(stranger.status == 1)
            #expect(stranger.errors.contains("did you mean 'blog'?"))
            #expect(try await served.tidings("explain", "blog", "last").status == 2)
        }
    }

    @Test func updatesSinceACycleTileWithWhatComes() async throws {
        try await withBlog { served in
            let first = try await served.firstContent(of: "blog")
            for expanded in ["true", "false", "true"] {
                #expect(try await served.tidings("send", "blog", "setExpanded", expanded).status == 0)
            }
            let options = "--since \(first + 1) --count 5 --json"
            async let followed = served.tidings(line: "subscribe \(options) update/ update/newData/blog/")
            for expanded in ["false", "true"] {
                #expect(try await served.tidings("send", "blog", "setExpanded", expanded).status == 0)
            }
            let run = try await followed
            let ranges = try ServedWidgets.events(run).compactMap(\.range)
            #expect(ranges == (1...5).map { SequenceRange(SequenceNumber(first + $0)) }, "\(run)\(served.log)")
            // Only what is wanted is shown, and only from there on.
            let none = try await served.tidings("subscribe", "--since", "x")
            #expect(none.status == 2)
            #expect(try await served.tidings("subscribe", "--since", "1", "layout/").status == 2)
            let table = try await served.tidings("subscribe", "--since", "\(first)", "--count", "2", "update/newData/")
            #expect(table.output.split(separator: "\n").count == 3)
            #expect(table.output.contains("firstContent"))
        }
    }

    @Test func updatesBehindAPositionGoOnWithWhatComes() async throws {
        try await withBlog { served in
            let first = try await served.firstContent(of: "blog")
            for expanded in ["true", "false", "true"] {
                #expect(try await served.tidings("send", "blog", "setExpanded", expanded).status == 0)
            }
            let kept = try await served.tidings("subscribe", "--since", "\(first)", "--count", "2", "--json")
            let offset = try #require(try ServedWidgets.events(kept).last?.offset)
            async let followed = served.tidings("subscribe", "--since", "\(offset)", "--count", "4", "--json")
            for expanded in ["false", "true"] {
                #expect(try await served.tidings("send", "blog", "setExpanded", expanded).status == 0)
            }
            let run = try await followed
            let numbers = try ServedWidgets.events(run).map(\.offset?.number)
            #expect(numbers == (1...4).map { offset.number + $0 }, "\(run)\(served.log)")
            let stranger = try await served.tidings("subscribe", "--since", "00000000000000aa:1")
            #expect(stranger.status == 1)
            #expect(stranger.errors.contains("has no position 00000000000000aa:1; it ends at \(offset.epoch):"))
        }
    }

    @Test func updatesSinceACycleTileOverARestartOfTheBus() async throws {
        try await withBlog { served in
            let first = try await served.firstContent(of: "blog")
            let arguments = ["subscribe", "--since", "\(first)", "--count", "4", "--json"]
            let follower = try SpawnedService("tidings", arguments, environment: served.environment)
            var cycles: [String] = []
            var ranges: [SequenceRange] = []
            func next() async throws {
                guard let line = try? await follower.nextLine(within: .seconds(60)) else {
                    let shown = ranges.map { "\($0)" }
                    throw DidNotArrive(
                        "an update after \(shown) of cycles \(cycles); '\(follower.standardError)'; \(served.log)"
                    )
                }
                ranges.append(try #require(try WireJSON.decode(Event<Update>.self, from: Data(line.utf8)).range))
            }
            // The follower asks the notifier before the bus ends.
            try await next()
            let pressed = try await served.tidings("send", "blog", "setExpanded", "true", "--no-wait").succeeded()
            cycles.append(pressed.output)
            for expanded in ["false", "true"] {
                try served.kill("bus")
                let deadline = ContinuousClock.now + .seconds(20)
                var sent: CommandRun
                // Each call waits for the bus by itself.
                repeat {
                    sent = try await served.tidings("send", "blog", "setExpanded", expanded, "--no-wait")
                } while sent.status == 3 && ContinuousClock.now < deadline
                #expect(sent.status == 0, "\(sent.errors)\(served.log)")
                cycles.append(sent.output)
            }
            for _ in 0..<3 { try await next() }
            #expect(try await follower.exitStatus() == 0, "\(follower.standardError)")
            #expect(ranges.first?.first.number == first)
            for (before, after) in zip(ranges, ranges.dropFirst()) { #expect(after.first == before.sequence.next) }
        }
    }

    @Test func quickActionsAreDrawnSideBySideInText() async throws {
        let actions = ["New Document", "Scan", "Search"].map { "{title: \($0), icon: folder, url: \"app://do\"}" }
        let entry = "{kind: documents, source: push, actions: [\(actions.joined(separator: ", "))]}"
        try await ServedWidgets.with(["recent": entry]) { _ in
        } _: { served in
            let list = #"{"documents": [{"id": "1", "title": "Budget", "url": "app://1"}]}"#
            try await served.tidings("push", "--kind", "documents", "recent", "-", input: list).succeeded()
            let drawn = try await served.tidings("get", "recent", "-d", "phone-compact", with: ["LC_ALL": "C.UTF-8"])
            #expect(drawn.status == 0, "\(drawn.errors)")
            let lines = drawn.output.split(separator: "\n").filter { $0.contains("[ ") }
            #expect(lines.count == 1, "\(drawn.output)")
            let buttons = lines.first?.split(whereSeparator: { "│[]".contains($0) }).map { $0.filter { $0 != " " } }
            #expect(buttons?.filter { !$0.isEmpty } == ["NewDocument", "Scan", "Search"], "\(drawn.output)")
        }
    }

    @Test func aPushThatHidesTheWidgetAndTheNextOneThatDoesNotAreNewData() async throws {
        try await ServedWidgets.with([:]) { _ in
        } _: { served in
            for (options, result) in [([], "newData"), (["--no-content"], "newData"), ([], "newData"), ([], "noData")] {
                let content = #"{"title":"Notes","items":[{"title":"Hand made"}]}"#
                let arguments = ["push", "by-hand", "-"] + options
                let pushed = try await CommandRun.tidings(
                    arguments,
                    input: Data(content.utf8),
                    environment: served.environment
                ).succeeded()
                #expect(pushed.output.contains(result), "\(arguments) \(pushed.output)")
            }
        }
    }

    @Test func contentByHandIsShown() async throws {
        try await withBlog { served in
            let content = #"{"title":"Notes","items":[{"title":"Hand made"}]}"#
            let pushed = try await served.tidings("push", "by-hand", "-", "--counter", "1", input: content).succeeded()
            #expect(pushed.output.contains("newData"))
            let shown = try await served.tidings("get", "by-hand", "--display", "phone-compact")
            #expect(shown.output.contains("Hand made"))
            // The same counter is the same push: nothing happens twice.
            let again = try await served.tidings("push", "by-hand", "-", "--counter", "1", "--json", input: content)
            let repeated = try ServedWidgets.events(again).first?.range
            let last = try await served.tidings("get", "by-hand", "--json")
            #expect(try ServedWidgets.events(last).first?.range == repeated)
            let faulty = try await served.tidings("push", "by-hand", "-", input: "[{\"title\":1},\n2]")
            #expect(faulty.status == 1)
            #expect(faulty.errorLines.count == 2)
            #expect(faulty.errors.contains("standard input:2:1: items[1]: the value is a number"))
            let stranger = try await served.tidings("push", "by-hnad", "-", input: content)
            #expect(stranger.status == 1)
            #expect(stranger.errors.contains("did you mean 'by-hand'?"))
        }
    }
}
