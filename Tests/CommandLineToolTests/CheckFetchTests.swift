// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WebServer

/// `tidings check --fetch` against live origins.
@Suite(.timeLimit(.minutes(3)))
struct CheckFetchTests {
    private static let feed = "<rss><channel><title>Notes</title><item><title>One</title></item></channel></rss>"

    private func check(_ widgets: [(id: String, path: String)], board: String? = nil) async throws -> CommandRun {
        let started = try HTTPServer { request in
            switch request.path {
            case "/feed": WebResponse(text: Self.feed, contentType: "application/rss+xml")
            case "/moved": WebResponse(status: 301, headers: [WebHeader("Location", "/feed")])
            case "/elsewhere": WebResponse(status: 302, headers: [WebHeader("Location", "/feed")])
            case "/page": WebResponse(text: "<html></html>", contentType: "text/html")
            case "/blog":
                WebResponse(
                    text: "<html><head><link rel=alternate type='application/rss+xml' href='/feed'></head></html>",
                    contentType: "text/html"
                )
            default: WebResponse(status: 404)
            }
        }
        return try await withWebServer(started) { server in
            let entries = widgets.map {
                "  \($0.id): {kind: feed, source: \"http://127.0.0.1:\(server.port)\($0.path)\"}\n"
            }
            let boards = board.map { "boards: {\($0)}\n" } ?? ""
            let text =
                "fetching: {allowPrivateNetworks: true, hostSpacing: 0s}\n\(boards)widgets:\n" + entries.joined()
            return try await withTemporaryFolder { folder in
                try Data(text.utf8).write(to: folder.appending(path: "tidings.yml"))
                let options = board == nil ? ["--fetch"] : ["--fetch", "--boards", "--list"]
                return try await CommandRun.tidings(["check"] + options, in: folder)
            }
        }
    }

    @Test func everySourceHasItsLine() async throws {
        let run = try await check([
            ("a", "/feed"), ("b", "/feed"), ("c", "/moved"), ("d", "/elsewhere"), ("e", "/page"), ("f", "/gone"),
        ])
        #expect(run.status == 1)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.first == "ok      a, b: 1 item, \"Notes\"")
        #expect(lines[1].hasPrefix("ok      c: 1 item, \"Notes\"; moved permanently to http://127.0.0.1:"))
        #expect(lines[2] == "ok      d: 1 item, \"Notes\"")
        #expect(lines[3].hasPrefix("failed  e: http://127.0.0.1:"))
        #expect(lines[3].contains("not a feed"))
        #expect(lines[4].hasSuffix("the origin answered 404"))
        #expect(run.errors == "tidings: 2 of 5 sources failed: 1 answered with an error, 1 not understood\n")
    }

    @Test func aPageThatAnnouncesItsFeedIsAsGoodAsTheFeed() async throws {
        let run = try await check([("a", "/blog")]).succeeded()
        #expect(run.output.contains("ok      a: 1 item, \"Notes\"; a web page, whose feed is http://127.0.0.1:"))
    }

    @Test func theListAndTheBoardsComeBeforeTheSources() async throws {
        let board = "b: {model: trmnl-og, layout: full, cells: [{widget: a}]}"
        let lines = try await check([("a", "/feed")], board: board).succeeded().output.split(separator: "\n")
        #expect(lines.first?.hasSuffix("tidings.yml is valid: 1 widget, 1 source, 3 displays, 1 board.") == true)
        #expect(lines.contains("board b: 800 x 480 pixels, trmnl-og, mono"))
        #expect(lines.last == "ok      a: 1 item, \"Notes\"")
    }

    @Test func whereAllAnswerTheStatusIsZero() async throws {
        let run = try await check([("a", "/feed")]).succeeded()
        #expect(run.errors.isEmpty)
    }
}
