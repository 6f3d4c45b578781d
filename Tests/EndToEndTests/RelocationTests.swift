// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginSupport
import TestSupport
import Testing

/// Sources that are not where the configuration says.
@Suite(.timeLimit(.minutes(2))) struct RelocationTests {
    @Test func theFeedThatAPageAnnouncesIsAskedDirectlyFromThenOn() async throws {
        try await withScriptedOrigin { origin in
            origin.serve(
                "/blog/",
                body: "<html><link rel=alternate type=application/rss+xml href=feed.xml><p>Hello.</html>",
                contentType: "text/html; charset=utf-8"
            )
            origin.serveChanging("/blog/feed.xml")
            try await RunningSystem.with(["blog": origin.url("/blog/")]) { system in
                try await IndependentReader.with(system.address) { reader in
                    try await reader.read("changes of the feed") { record in
                        record.updates.count { $0.reason == "visibleChange" } >= 3
                    }
                }
            }
            #expect(origin.requests("/blog/").count == 1)
        }
    }

    @Test func aPermanentRedirectIsFollowedForGoodAndATemporaryOneIsNot() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/old", body: "")
            origin.serve("/detour", body: "")
            origin.setStatus("/old", 301, headers: ["Location": "/detour"])
            origin.setStatus("/detour", 302, headers: ["Location": "/feed"])
            origin.serveChanging("/feed")
            try await RunningSystem.with(["blog": origin.url("/old")]) { system in
                try await IndependentReader.with(system.address) { reader in
                    try await reader.read("changes of the feed") { record in
                        record.updates.count { $0.reason == "visibleChange" } >= 3
                    }
                }
            }
            #expect(origin.requests("/old").count == 1)
            #expect(origin.requests("/detour").count == origin.requests("/feed").count)
        }
    }
}
