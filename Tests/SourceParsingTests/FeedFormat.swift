// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing

/// A format of feeds with one item: places for elements of the feed before and after the item, and for those of the item.
struct FeedFormat: Decodable, Sendable, CustomTestStringConvertible {
    private let name: String
    private let start: String
    private let itemStart: String
    private let itemEnd: String
    private let end: String
    /// The id that the format itself gives to the item.
    let itemID: String?
    /// True if elements of the feed may not follow the item.
    private let hasNoEnd: Bool?

    var testDescription: String { name }
    var hasEnd: Bool { hasNoEnd != true }

    private struct File: Decodable {
        var namespaces: String
        var formats: [FeedFormat]
    }

    private static let file: File? = FeedSamples.json("formats.json")
    static let all = file?.formats ?? []

    func feed(_ head: String = "", item: String, behind: String = "") throws -> ParsedFeed {
        let start = start.replacing("NAMESPACES", with: Self.file?.namespaces ?? "")
        let document = start + head + itemStart + item + itemEnd + behind + end
        return try SourceParser.parseFeed(
            FeedSamples.body(
                Data(document.utf8)
            )
        )
    }
}
