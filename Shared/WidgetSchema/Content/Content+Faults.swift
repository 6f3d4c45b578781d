// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension Content {
    /// What is wrong with a content that did not come from a parser, each fault with its path; empty where nothing is.
    public var faults: [String] {
        switch self {
        case .feed(let feed): feed.faults
        }
    }
}

extension FeedContent {
    fileprivate var faults: [String] {
        var faults: [String] = []
        if items.count > Self.maximumItems {
            faults.append("feed.items: has \(items.count) items; at most \(Self.maximumItems) are shown")
        }
        var ids: [String: Int] = [:]
        for (index, item) in items.enumerated() {
            let path = "feed.items.\(index)"
            if item.id.isEmpty { faults.append("\(path).id: is empty") }
            if let first = ids[item.id] { faults.append("\(path).id: is that of feed.items.\(first), too") }
            ids[item.id] = ids[item.id] ?? index
            if item.title.isEmpty { faults.append("\(path).title: is empty") }
            if let summary = item.summary, summary.count > FeedItem.maximumSummaryCharacters {
                faults.append(
                    "\(path).summary: has \(summary.count) characters; at most "
                        + "\(FeedItem.maximumSummaryCharacters) are shown"
                )
            }
            if let link = item.link, !link.hasPrefix("https://"), !link.hasPrefix("http://") {
                faults.append("\(path).link: is no http or https address")
            }
        }
        return faults
    }
}
