// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct JSONFeedTests {
    private static func document(_ items: String, version: String = "1.1") -> String {
        """
        {"version": "https://jsonfeed.org/version/\(version)", "title": "Light \\u0026 sea", "home_page_url": "/home",
        "authors": [{"name": "Ines Falk"}], "author": {"name": "Ole"}, "items": [\(items)]}
        """
    }

    @Test(arguments: ["1", "1.1", "7"]) func aFeedGivesAllItsParts(version: String) throws {
        let feed = try FeedSamples.parse(
            Self.document(
                """
                {"id": 7, "url": "one", "external_url": "https://b.example/", "title": "One \\ud83e\\udded",
                "content_html": "<p>Long</p>", "content_text": "Short", "date_published": "2026-11-21T08:30:00+01:00",
                "_extension": {"deep": [[{"title": "no"}]]}}, {"id": "2", "content_text": "1 < 2", "author": {"name": "K"}}
                """,
                version: version
            )
        )
        #expect(feed.title == "Light & sea")
        #expect(feed.link == "https://origin.example/home")
        #expect(feed.items.map(\.id) == ["7", "2"])
        #expect(feed.items.map(\.title) == ["One 🧭", "1 < 2"])
        #expect(feed.items.map(\.author) == ["Ines Falk, Ole", "K"])
        #expect(feed.items.map(\.link) == ["https://origin.example/one", "https://origin.example/home"])
        #expect(feed.items.first?.summary == "Short")
        #expect(feed.items.first?.published == Instant("2026-11-21T07:30:00Z"))
    }

    @Test func aRecordingIsPreferredToThePictureOfItsCover() throws {
        let picture = #"{"url": "https://a.example/1.jpg", "mime_type": "image/jpeg"}"#
        let recording = #"{"mime_type": "audio/mpeg", "url": "https://a.example/1.mp3"}"#
        for files in [[picture, recording], [recording, picture]] {
            let item = #"{"id": "1", "title": "x", "attachments": [\#(files.joined(separator: ","))]}"#
            #expect(try FeedSamples.parse(Self.document(item)).items.first?.link == "https://a.example/1.mp3")
        }
        let item = #"{"id": "1", "title": "x", "attachments": [\#(picture)]}"#
        #expect(try FeedSamples.parse(Self.document(item)).items.first?.link == "https://a.example/1.jpg")
    }

    @Test func whatIsLeftOutOrTooMuchBetweenValuesIsForgiven() throws {
        let items = "{\"id\": \"1\" \"title\": \"a\nb\",},, null, \"x\", {\"id\": \"2\", \"title\": \"c\", \"tags\"}"
        #expect(try FeedSamples.parse(Self.document(items)).items.map(\.title) == ["a b", "c"])
    }

    @Test func aDocumentCutAnywhereGivesCompleteItemsOrAnError() throws {
        let text = Self.document(#"{"id": "1", "title": "caf\u00e9 \"x\""}, {"id": "2", "title": "b"}"#)
        for count in 0..<text.utf8.count {
            guard let feed = try? FeedSamples.parse(Data(text.utf8.prefix(count))) else { continue }
            #expect(feed.items.map(\.title) == Array([#"café "x""#, "b"].prefix(feed.items.count)))
        }
    }

    @Test(arguments: ["{", "{}", #"{"items": [1]}"#, #"{"a": [[["#, #"{"version": "2", "items": []}"#])
    func otherJSONIsNoFeed(text: String) {
        let error = #expect(throws: ParsingError.self) { try FeedSamples.parse(text) }
        #expect(error?.kind == .wrongFormat)
    }

    @Test func nestingCostsNoStack() throws {
        for (opening, closing) in [("[", "]"), (#"{"a":"#, "}"), (#"[{"items":"#, "}]")] {
            let deep = String(repeating: opening, count: 100_000)
            #expect(throws: ParsingError.self) { try FeedSamples.parse(deep) }
            let cut = Self.document(#"{"id": "1", "title": "x"}, \#(deep)"#)
            #expect(throws: ParsingError.self) { try FeedSamples.parse(cut) }
            let value = deep + "1" + String(repeating: closing, count: 100_000)
            let whole = Self.document(#"{"id": "1", "title": "x"}, {"deep": \#(value)}"#)
            #expect(try FeedSamples.parse(whole).items.count == 1)
        }
    }
}
