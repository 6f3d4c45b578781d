// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

/// Commands, seen from outside.
@Suite(.timeLimit(.minutes(2))) struct InteractionTests {
    @Test func showMoreChangesTheClassicDisplayOnceAndSurvivesARestartOfEverything() async throws {
        try await RunningSystem.read(feed: Self.feed, of: "blog") { origin, system, reader in
            try await reader.read("the first content") { $0.last("blog")?.reason == "notModified" }
            let first = try await ShownContent.send(.setExpanded(true), counter: 1, to: "blog", system)
            try await reader.read("the verdict") { ($0.last["blog"] ?? 0) >= first }
            let verdict = try #require(reader.record.updates.first { $0.sequence == first })
            #expect(verdict.result == "newData")
            #expect(verdict.changed == ["phone-classic"])
            #expect(verdict.cause == "interaction")

            let again = try await ShownContent.send(.setExpanded(true), counter: 1, to: "blog", system)
            #expect(again == first)
            let expanded = reader.record.digests["blog"]
            for service in ["fetcher", "cache", "layout", "notifier", "bus"] { try await system.stop(service) }
            for service in ["bus", "notifier", "layout", "cache", "fetcher"] { try await system.start(service) }
            let before = reader.record.count("blog")
            try await reader.read("it goes on") { $0.count("blog") >= before + 3 }
            #expect(reader.record.digests["blog"] == expanded)
            #expect(reader.record.updates.count { $0.cause == "interaction" } == 1)
            #expect(reader.record.updates.count { $0.result == "newData" } == 2)
        }
    }

    /// Eight posts: three rows when collapsed, six when expanded.
    private static let feed: String = {
        let items = (1...8).map { "<item><guid>\($0)</guid><title>Post \($0)</title></item>" }.joined()
        return "<rss version=\"2.0\"><channel><title>Blog</title>\(items)</channel></rss>"
    }()
}
