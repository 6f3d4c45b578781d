// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// A page of updates as the bytes of an answer, composed of the published bytes.
struct UpdatePage: Hashable, Sendable {
    /// `{"result":{"more":…,"records":[…]}}`, byte for byte as the coder of `Answer<Records<Update>>` writes it.
    let json: Data

    private init(_ page: Page<Data>) {
        var json = Data(#"{"result":{"more":\#(page.more),"records":["#.utf8)
        json.reserveCapacity(page.bytes + 64)
        for (index, record) in page.records.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(record)
        }
        json.append(contentsOf: "]}}".utf8)
        self.json = json
    }

    /// Returns the stored updates from these sequence numbers on; the first record of each widget starts at its number.
    static func replay(
        from: [WidgetID: SequenceNumber],
        of store: some UpdateReader,
        limit: Int = MessageLimits.page
    ) throws -> UpdatePage {
        UpdatePage(
            try Page(of: from.keys, limit: limit) { widget throws in
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
            }
        )
    }

    /// Returns the last update of each of these widgets, which must be in ascending order.
    static func snapshot(
        of widgets: some Sequence<WidgetID>,
        in store: some UpdateReader,
        limit: Int = MessageLimits.page
    ) throws -> UpdatePage {
        var page = Page<Data>(limit: limit)
        for widget in widgets {
            guard let event = try store.lastUpdate(of: widget)?.event else { continue }
            guard page.add(event, bytes: event.count) else { break }
        }
        return UpdatePage(page)
    }
}
