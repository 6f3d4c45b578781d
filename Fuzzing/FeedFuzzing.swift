// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import WidgetSchema

/// Fuzzes feeds, XML and JSON, in any encoding.
///
/// Checks that parsing is deterministic, and that content is within its limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    let url = "https://fuzzing.example/feeds/main.xml"
    let feed = try? SourceParser.parseFeed(SourceBody(bytes, contentType: nil, documentURL: url))
    precondition(feed == (try? SourceParser.parseFeed(SourceBody(bytes, contentType: nil, documentURL: url))))
    for item in feed?.items ?? [] {
        precondition(item.link.map { $0.lowercased().hasPrefix("http") } ?? true)
        _ = item.summary?.plain(limit: 300)
        _ = item.content?.html
    }
    let parsing = Parsing(kind: .feed)
    guard
        case .feed(let content) = try? SourceParser.parse(
            SourceBody(bytes, contentType: nil, documentURL: url, received: Instant(milliseconds: 1_795_222_156_000)),
            parsing: parsing
        )
    else { return 0 }
    precondition(content.items.count <= FeedContent.maximumItems)
    precondition(Set(content.items.map(\.id)).count == content.items.count)
    precondition(content.items.allSatisfy { ($0.summary?.count ?? 0) <= FeedItem.maximumSummaryCharacters })
    return 0
}
