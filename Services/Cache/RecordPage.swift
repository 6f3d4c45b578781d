// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import WidgetSchema

/// Full records for a page of a replay, each content once.
struct RecordPage {
    /// A kept cycle on its way into an answer.
    struct Record: StreamRecord {
        var event: Event<Refreshed>
        var range: SequenceRange

        func starting(at first: SequenceNumber) -> Record {
            let event = event.starting(at: first)
            return Record(event: event, range: event.range ?? range)
        }
    }

    private let store: CacheStore
    private var contents: [ContentDigest: Data] = [:]

    init(_ store: CacheStore) { self.store = store }

    func records(of widget: WidgetID, from: SequenceNumber) throws -> [Record] {
        try store.cycles(of: widget, from: from).compactMap { kept in
            var event = try WireJSON.decode(Event<Refreshed>.self, from: kept.event)
            guard let range = event.range else { return nil }
            event.id += Event<Refreshed>.fullSuffix
            return Record(event: event, range: range)
        }
    }

    /// The records with their sizes in the answer; a content counts with the first record that needs it.
    mutating func load(_ records: [Record]) throws -> [(record: Record, bytes: Int)] {
        try records.map { record in
            var size = try WireJSON.encode(record.event).count
            if let digest = record.event.data.content?.digest, contents[digest] == nil {
                guard let bytes = try store.content(digest) else { throw CorruptStore(column: "contents.digest") }
                contents[digest] = bytes
                // An answer has so many frames: a small content counts for its share of them.
                size += max(bytes.count, MessageLimits.page / BusClient.maximumContents + 1)
            }
            return (record, size)
        }
    }

    func answer(_ page: Page<Record>) -> Records<Refreshed> {
        Records(records: page.records.map(\.event), contents: references(page), more: page.more)
    }

    func frames(_ page: Page<Record>) -> [Data] { references(page).compactMap { contents[$0.digest] } }

    private func references(_ page: Page<Record>) -> [ContentReference] {
        var seen: Set<ContentDigest> = []
        return page.records.compactMap(\.event.data.content).filter { seen.insert($0.digest).inserted }
    }
}
