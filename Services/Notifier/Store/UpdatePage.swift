// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// A page of updates, encoded as the answer to a request; the records are the bytes of the stored updates.
struct UpdatePage: Hashable, Sendable {
    /// The answer `{"result":{"end":…,"more":…,"records":[…]}}`, in the format of `Answer<Records<Update>>`.
    let json: Data

    private init(_ page: Page<Data>, more: Bool? = nil, end: StreamOffset) throws {
        var json = Data(#"{"result":{"end":"#.utf8)
        json.append(try WireJSON.encode(end))
        json.append(contentsOf: #","more":\#(more ?? page.more),"records":["#.utf8)
        json.reserveCapacity(page.bytes + 64)
        for (index, record) in page.records.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(record)
        }
        json.append(contentsOf: "]}}".utf8)
        self.json = json
    }

    /// Returns a page of stored updates: for each widget in `from`, those from its sequence number on.
    ///
    /// If the update with this sequence number is no longer stored, the widget's first update in the page covers it:
    /// the sequence-number range of that update is extended to begin at the requested number.
    static func replay(
        from: [WidgetID: SequenceNumber],
        of store: some UpdateReader,
        limit: Int = MessageLimits.page
    ) throws -> UpdatePage {
        // The end is read first: an update that is committed in between must not be up to the end, but missing.
        let end = try store.end()
        return try UpdatePage(
            Page(of: from.keys, limit: limit) { widget throws in
                let from = from[widget] ?? .zero
                var answer: [(record: Data, bytes: Int)] = []
                for update in try store.updates(of: widget, from: from) {
                    var bytes = update.event
                    if answer.isEmpty, let first = Replay.start(of: update.range, from: from) {
                        bytes = try update.bytes(startingAt: first)
                    }
                    answer.append((bytes, bytes.count))
                }
                return answer
            },
            end: end
        )
    }

    /// Returns a page of the stored updates of all widgets after a position, ascending by offset.
    ///
    /// If a widget's first updates are no longer stored, its oldest stored update covers them: the sequence-number
    /// range of that update is extended to begin at 1.
    static func updates(
        since: StreamOffset,
        of store: some UpdateReader,
        limit: Int = MessageLimits.page
    ) throws -> UpdatePage {
        // The end is read first, as in `replay`.
        let end = try store.end()
        let updates = try store.updates(after: since.number, limit: maximumRecords)
        var page = Page<Data>(limit: limit)
        for one in updates {
            let isTrimmed = one.isOldest && one.update.range.first > 1
            let bytes = isTrimmed ? try one.update.bytes(startingAt: 1) : one.update.event
            guard page.add(bytes, bytes: bytes.count) else { break }
        }
        // If the maximum number of records was read, the store may contain more.
        let more = page.more || updates.count == maximumRecords
        return try UpdatePage(page, more: more, end: end)
    }

    /// The maximum number of records that are read from the store for one page.
    static let maximumRecords = 1024

    /// Returns a page with the last update of each widget in `widgets`.
    ///
    /// The ids in `widgets` must be in ascending order. The position `end` must not be above the end of the stream when
    /// `widgets` was made, and all updates up to `end` must be committed. The page then contains the state of each
    /// widget at `end` or later, so a client that continues from there misses no update.
    static func snapshot(
        of widgets: some Sequence<WidgetID>,
        end: StreamOffset,
        in store: some UpdateReader,
        limit: Int = MessageLimits.page
    ) throws -> UpdatePage {
        var page = Page<Data>(limit: limit)
        for widget in widgets {
            guard let event = try store.lastUpdate(of: widget)?.event else { continue }
            guard page.add(event, bytes: event.count) else { break }
        }
        return try UpdatePage(page, end: end)
    }
}
