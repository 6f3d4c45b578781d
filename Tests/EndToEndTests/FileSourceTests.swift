// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime
import Testing
import WidgetSchema

/// Files as sources of widgets.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FileSourceTests {
    @Test func aFileThatIsReplacedIsShownWithinASecond() async throws {
        let fetching = ["fileDirectory": "./files", "interval": "1h", "minimumInterval": "1h", "hostSpacing": "1s"]
        try await RunningSystem.read(
            ["w": "{kind: feed, source: {file: sub/feed.xml}}"],
            fetching: fetching,
            files: ["files/sub/feed.xml": rss("First")]
        ) { system, reader in
            try await reader.read("the first") { $0.hasNewData("w") }
            let file = system.file("files/sub/feed.xml")
            for title in ["Second", "Third"] {
                let before = Instant.now
                try Data(rss(title).utf8).write(to: file, options: .atomic)
                let count = reader.record.count("w")
                // A file that is closed after it was renamed is read twice; the second reading changes nothing.
                try await reader.read(title) { record in
                    record.updates.dropFirst(count).contains { $0.reason == "visibleChange" }
                }
                let last = try #require(reader.record.updates.last { $0.reason == "visibleChange" })
                #expect((last.time ?? before).milliseconds(since: before) < 1000)
                #expect(try await ShownContent.feed("w", system).items.map(\.title) == [title])
            }
            // Half of it keeps what there was, and the whole of it comes at once.
            try Data("<r".utf8).write(to: file)
            try await reader.read("the half") { $0.last("w")?.outcome == "failed" }
            #expect(reader.record.last("w")?.failure["class"] == "malformed")
            let half = reader.record.count("w")
            try Data(rss("Fourth").utf8).write(to: file)
            try await reader.read("the whole") { record in
                record.updates.dropFirst(half).contains { $0.result == "newData" }
            }
            #expect(try await ShownContent.feed("w", system).items.map(\.title) == ["Fourth"])
        }
    }

    @Test func aFileThatIsReplacedWhileTheCacheDoesNotRunIsReadAtItsStart() async throws {
        try await RunningSystem.read(
            ["w": "{kind: feed, source: {file: feed.xml}}"],
            fetching: ["fileDirectory": "./files", "interval": "1d", "minimumInterval": "1h"],
            files: ["files/feed.xml": rss("First")]
        ) { system, reader in
            try await reader.read("the first") { $0.hasNewData("w") }
            try await system.kill("cache")
            try Data(rss("Second").utf8).write(to: system.file("files/feed.xml"), options: .atomic)
            let count = reader.record.count("w")
            try await system.start("cache")
            try await reader.read("the change") { record in
                record.updates.dropFirst(count).contains { $0.reason == "visibleChange" }
            }
        }
    }

    @Test func aFileThatTheConfigurationGainsWhileRunningIsWatchedToo() async throws {
        let fetching = ["fileDirectory": "./files", "interval": "1h", "minimumInterval": "1h"]
        try await RunningSystem.read(
            ["w": "{kind: feed, source: {file: feed.xml}}"],
            fetching: fetching,
            files: ["files/feed.xml": rss("First"), "files/new/feed.xml": rss("First")]
        ) { system, reader in
            try await reader.read("the first") { $0.hasNewData("w") }
            try system.editConfiguration { "\($0)\n  new: {kind: feed, source: {file: new/feed.xml}}\n" }
            try await reader.read("the new widget") { $0.hasNewData("new") }
            try Data(rss("Second").utf8).write(to: system.file("files/new/feed.xml"), options: .atomic)
            try await reader.read("the change") { record in
                record.updates.contains { $0.widget == "new" && $0.reason == "visibleChange" }
            }
        }
    }

    @Test func aFileThatNeverExistedAsksToOpenItsAppAndItsRemovalIsSeenWithinASecond() async throws {
        let documents = [
            "feed": rss("First"), "keyValue": #"{"city": "Lisbon"}"#, "quote": #"[{"text": "Words"}]"#,
            "documents": #"[{"id": "a", "title": "Letter"}]"#, "json": #"[{"title": "Row"}]"#,
            "forecast": #"[{"daysFromNow": 0, "condition": "rain", "high": 9}]"#,
        ]
        let options = ["json": ", items: {list: \"\", title: /title}"]
        let widgets = Dictionary(
            uniqueKeysWithValues: documents.keys.map { kind in
                let id = kind.lowercased()
                return (id, "{kind: \(kind), name: Notes, source: {file: later/\(id)}\(options[kind] ?? "")}")
            }
        )
        try await RunningSystem.read(
            widgets,
            fetching: ["fileDirectory": "./files", "interval": "1h", "minimumInterval": "1h"]
        ) { system, reader in
            for id in widgets.keys {
                try await reader.read("the missing file of \(id)") { $0.hasMissed(id) }
                #expect(reader.record.last(id)?.result == "noData")
                let shown = try await ShownLayout(id, on: "phone-compact", system).texts
                #expect(shown == ["Open Notes at least once before using this widget"], "\(id)")
            }
            // The directory appears with its files.
            let folder = system.file("files/later")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (kind, text) in documents {
                let file = folder.appending(path: kind.lowercased())
                try Data(text.utf8).write(to: file, options: .atomic)
            }
            for id in widgets.keys {
                try await reader.read("the content of \(id)") { $0.hasNewData(id) }
                let before = Instant.now
                try FileManager.default.removeItem(at: folder.appending(path: id))
                try await reader.read("the removal of \(id)") { $0.last(id)?.result == "failed" }
                let last = try #require(reader.record.last(id))
                #expect((last.time ?? before).milliseconds(since: before) < 2000)
                #expect(last.reason == "transient")
                _ = try await ShownContent.content(id, system)
            }
        }
    }

    @Test func aLinkThatLeavesTheDirectoryIsAFailureThatShowsNothing() async throws {
        try await RunningSystem.read(
            ["w": "{kind: feed, source: {file: link.xml}}"],
            fetching: ["fileDirectory": "./files", "interval": "1h", "minimumInterval": "1h"],
            files: ["files/other.xml": "", "secret.xml": rss("Secret")]
        ) { system, reader in
            try await reader.read("the missing file") { $0.hasMissed("w") }
            #expect(symlink("../secret.xml", system.file("files/link.xml").path) == 0)
            try await reader.read("the refusal") { $0.last("w")?.failure["class"] == "permanent" }
            #expect(reader.record.last("w")?.failure["message"]?.contains("is outside the directory") == true)
        }
    }
}

extension IndependentReader.Record {
    /// Returns whether a refresh found no file.
    ///
    /// The first cycle has the same reason, but another cause.
    fileprivate func hasMissed(_ widget: String) -> Bool {
        last(widget).map { $0.cause == "refresh" && $0.reason == "missing" } ?? false
    }
}
