// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import WidgetSchema

/// A page of stored cycles, for the answer to a replay or a snapshot request.
///
/// The page contains each content once. When the next cycle would exceed the page's limit in bytes, no further
/// widgets and contents are read. The first cycle is added even if it is larger than the limit.
struct CyclePage {
    /// The decoded event of a stored cycle, with the range of sequence numbers that the event covers.
    private struct Record: StreamRecord {
        var event: Event<Refreshed>
        var range: SequenceRange

        func starting(at first: SequenceNumber) -> Record {
            let event = event.starting(at: first)
            return Record(event: event, range: event.range ?? range)
        }
    }

    private let store: CacheStore
    private var page: Page<Record>
    private var references: [ContentReference] = []
    private var contents: [ContentDigest: Data] = [:]
    /// The cycles of this page whose content is missing in the store.
    ///
    /// `sequence` is the cycle's sequence number. The page contains these cycles without a content, so their widgets show
    /// a placeholder. Other widgets are not affected.
    private(set) var lacking: [(widget: WidgetID, sequence: SequenceNumber)] = []

    private init(_ store: CacheStore, limit: Int) {
        self.store = store
        page = Page(limit: limit)
    }

    /// Returns a page with each widget's stored cycles from its sequence number in `from` on, until the page is full.
    ///
    /// The history may no longer contain all of these cycles. In this case, the widget's first cycle in the page gets a
    /// range of sequence numbers that includes the removed cycles, so that the page has no gap.
    static func replay(
        from: [WidgetID: SequenceNumber],
        of store: CacheStore,
        limit: Int = MessageLimits.page
    ) throws -> CyclePage {
        var page = CyclePage(store, limit: limit)
        for (widget, from) in from.sorted(by: { $0.key < $1.key }) {
            guard try page.add(Replay.cut(page.records(of: widget, from: from), from: from)) else { break }
        }
        return page
    }

    /// Returns a page with the newest stored cycle of each widget, until the page is full.
    ///
    /// `widgets` must be in ascending order.
    static func snapshot(
        of widgets: some Sequence<WidgetID>,
        in store: CacheStore,
        limit: Int = MessageLimits.page
    ) throws -> CyclePage {
        var page = CyclePage(store, limit: limit)
        for widget in widgets {
            guard let last = try store.lastCycle(of: widget) else { continue }
            guard try page.add(Self.records([last])) else { break }
        }
        return page
    }

    var answer: Records<Refreshed> {
        Records(records: page.records.map(\.event), contents: references, more: page.more)
    }

    /// The bytes of the contents, in the order in which the answer refers to them.
    ///
    /// After the answer, each content is sent as one frame.
    var frames: [Data] { references.compactMap { contents[$0.digest] } }

    private func records(of widget: WidgetID, from: SequenceNumber) throws -> [Record] {
        try Self.records(try store.cycles(of: widget, from: from))
    }

    private static func records(_ cycles: [CacheStore.KeptCycle]) throws -> [Record] {
        try cycles.compactMap { kept in
            var event = try WireJSON.decode(Event<Refreshed>.self, from: kept.event)
            guard let range = event.range else { return nil }
            event.id += Event<Refreshed>.fullSuffix
            return Record(event: event, range: range)
        }
    }

    /// Adds records to the page in order, until one of them does not fit; returns true if all were added.
    private mutating func add(_ records: [Record]) throws -> Bool {
        for var record in records {
            var bytes: Data?
            var isLacking = false
            if let content = record.event.data.content, contents[content.digest] == nil {
                bytes = try store.content(content.digest)
                isLacking = bytes == nil
                if isLacking { Self.removeContent(of: &record) }
            }
            var size = try WireJSON.encode(record.event).count
            // The number of frames in an answer is limited too, so even a small content counts as a minimum number of
            // bytes.
            if let bytes { size += max(bytes.count, MessageLimits.page / BusClient.maximumContents + 1) }
            guard page.add(record, bytes: size) else { return false }
            if isLacking, let widget = record.event.widget { lacking.append((widget, record.range.sequence)) }
            if let bytes, let content = record.event.data.content {
                contents[content.digest] = bytes
                references.append(content)
            }
        }
        return true
    }

    private static func removeContent(of record: inout Record) {
        record.event.data.content = nil
        record.event.data.contentSequence = nil
        record.event.data.contentDate = nil
    }
}
