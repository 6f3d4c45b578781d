// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import SourceParsing
import TestSupport
import Testing
import WidgetSchema

@testable import CommandLineTool
@testable import SourceParsing

/// `tidings init`, and what it makes of subscriptions.
@Suite(.timeLimit(.minutes(3)))
struct InitCommandTests {
    /// As many as somebody has who reads a lot: names in many scripts, some missing, some the same, in groups.
    private static let manyFeeds: String = {
        var text = "<opml version=\"2.0\"><head><title>All: #1</title></head><body>\n"
        for number in 1...300 {
            let names = [
                "Blog \(number % 40)", "Zeitung \"für\" \(number)", "", "新聞 \(number)", "on", "O'Reilly \(number): # a",
                "\(number)", "---",
            ]
            let name = names[number % names.count].replacing("\"", with: "&quot;").replacing("'", with: "&apos;")
            if number % 25 == 1 { text += "<outline text=\"Group \(number): {x} # &#9; \">\n" }
            let address = "https://host\(number % 17).example/feeds/\(number)/rss.xml?a=1&amp;b=%20'"
            text += "  <outline type=\"rss\"\(name.isEmpty ? "" : " text=\"\(name)\"") xmlUrl=\"\(address)\"/>\n"
            if number % 25 == 0 { text += "</outline>\n" }
        }
        return text + "</body></opml>\n"
    }()

    @Test func threeHundredFeedsBecomeAConfigurationThatIsAccepted() async throws {
        try await withTemporaryFolder { folder in
            let list = folder.appending(path: "subscriptions.opml")
            try Data(Self.manyFeeds.utf8).write(to: list)
            let written = try await CommandRun.tidings(["init", "--opml", list.path()], in: folder).succeeded()
            #expect(written.output == "wrote tidings.yml with 300 widgets\n")
            #expect(written.errors.isEmpty)
            let checked = try await CommandRun.tidings(["check", "tidings.yml"], in: folder).succeeded()
            #expect(checked.output.hasPrefix("tidings.yml is valid: 300 widgets, 300 sources, 3 displays."))
            let again = try await CommandRun.tidings(["init", "--opml", list.path(), "--output", "-"], in: folder)
            let text = try String(contentsOf: folder.appending(path: "tidings.yml"), encoding: .utf8)
            #expect(again.output == text)
            #expect(text.contains("\n  # Group 26: {x} # \n") || text.contains("\n  # Group 26: {x} #\n"))
        }
    }

    @Test func aTerminalIsToldWhatIsReadAndHowManyFeedsThereAre() async throws {
        try await withTemporaryFolder { folder in
            try Data(Self.manyFeeds.utf8).write(to: folder.appending(path: "list.opml"))
            let command = "tidings init --opml list.opml"
            let run = try await CommandRun.bash(
                "cd '\(folder.path())' && script --quiet --return --command '\(command)' /dev/null"
            ).succeeded()
            for line in ["reading subscriptions from list.opml …", "300 feeds found …", "wrote tidings.yml with 300"] {
                #expect(run.output.contains(line), "\(run.output)")
            }
        }
    }

    @Test func theConfigurationToBeginWithIsAccepted() async throws {
        try await withTemporaryFolder { folder in
            #expect(try await CommandRun.tidings(["init"], in: folder).status == 0)
            let checked = try await CommandRun.tidings(["check"], in: folder).succeeded()
            #expect(checked.errors.isEmpty)
        }
    }

    @Test func aFileThatIsThereStays() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "tidings.yml")
            try Data("mine".utf8).write(to: file)
            let refused = try await CommandRun.tidings(["init"], in: folder)
            #expect(refused.status == 2)
            #expect(refused.output.isEmpty)
            #expect(refused.errors.hasPrefix("tidings: tidings.yml already exists"))
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
            #expect(try await CommandRun.tidings(["init", "--force"], in: folder).status == 0)
            #expect(try Data(contentsOf: file) != Data("mine".utf8))
            let nowhere = try await CommandRun.tidings(["init", "--output", "no/such/folder.yml"], in: folder)
            #expect(nowhere.status == 1)
            #expect(nowhere.errorLines.count == 1)
        }
    }

    @Test func whatIsNoListWritesNothing() async throws {
        try await withTemporaryFolder { folder in
            for text in ["", "<rss/>", "<opml><body><outline></body></opml>", "<opml><body/></opml>"] {
                let run = try await CommandRun.tidings(["init", "--opml", "-"], input: Data(text.utf8), in: folder)
                #expect(run.status == 1)
                #expect(run.errors.hasPrefix("tidings: standard input:"))
                #expect(run.errorLines.count == 1)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
        }
    }

    @Test func addressesThatNobodyCanFetchAreToldAndLeftOut() throws {
        let list = FeedList(entries: [
            .init(title: "A", feedURL: "feed://a.example/é#x", groups: [], line: 3),
            .init(title: "B", feedURL: "https://a.example/%C3%A9", groups: ["G"], line: 4),
            .init(title: "C", feedURL: "ftp://c.example/", groups: [], line: 5),
        ])
        let text = ConfigurationText(list)
        #expect(text.widgetCount == 1)
        #expect(text.refusals.map(\.line) == [4, 5])
        let configuration = try TidingsConfiguration.parse(text.text)
        #expect(configuration.widgets.map(\.source?.url) == ["https://a.example/%C3%A9"])
    }

    @Test(arguments: [
        ("Café de l'Étoile", "https://x.example/", "cafe-de-letoile"),
        ("---", "https://www.x.example/feed", "x-example"),
        (nil, "https://blog.example/news/rss.xml", "blog-example-news"), ("Straße", "", "strasse"),
        ("on", "https://x.example/", "on"), (String(repeating: "a", count: 90), "", String(repeating: "a", count: 40)),
    ])
    func idsComeFromTheTitleElseFromTheAddress(_ title: String?, _ url: String, _ expected: String) {
        var naming = WidgetNaming()
        #expect(naming.id(title: title, url: url).rawValue == expected)
        let second = naming.id(title: title, url: url).rawValue
        let third = naming.id(title: title, url: url).rawValue
        #expect(second.hasPrefix(expected + "-"))
        #expect(third.hasPrefix(second + "-"))
    }
}
