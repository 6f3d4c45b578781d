// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// The limit of the items that a reader keeps of a feed.
struct ItemLimit {
    /// The maximum number of items.
    var count = ParsedFeed.maximumItems
    /// The latest date that counts, if the newest items are kept; nil if the first items of the document are kept.
    var latest: Instant?
}

extension FeedDraft {
    /// A Boolean value that indicates whether the next item of the document must be read.
    var acceptsItem: Bool { items.count < limit.count || limit.latest != nil }

    /// Replaces the item with the oldest date by `item`, if `item` has a later date.
    ///
    /// An undated item is never replaced and never replaces another one, and neither is an item with a date after
    /// ``ItemLimit/latest``.
    mutating func replaceOldest(by item: ItemDraft) {
        guard let date = date(of: item) else { return }
        if oldest == nil { oldest = findOldest() }
        guard let oldest, oldest.date < date else { return }
        items[oldest.index] = item
        hasReplacedItems = true
        self.oldest = findOldest()
    }

    /// Brings the dated items into the order of the document, which `replaceOldest` changes.
    mutating func restoreOrder() {
        guard hasReplacedItems else { return }
        let places = items.indices.filter { date(of: items[$0]) != nil }
        let dated = places.map { items[$0] }.sorted { $0.ordinal < $1.ordinal }
        for (place, item) in zip(places, dated) { items[place] = item }
    }

    private func findOldest() -> (index: Int, date: Instant)? {
        work?.add(items.count)
        var oldest: (index: Int, date: Instant)?
        // Of items with equal dates, the last one is replaced first.
        for index in items.indices {
            guard let date = date(of: items[index]), date <= oldest?.date ?? date else { continue }
            oldest = (index, date)
        }
        return oldest
    }

    private func date(of item: ItemDraft) -> Instant? {
        guard let latest = limit.latest, let date = item.shownDate, date <= latest else { return nil }
        return date
    }
}
