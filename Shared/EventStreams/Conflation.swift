// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
public import WidgetSchema

/// The updates of an ``UpdateFollower`` that a slow reader has not taken yet, merged into one update for each widget.
///
/// All updates must be of one epoch.
public struct Conflation: Sendable {
    /// The pending updates of one widget, merged into `event`.
    public struct Entry: Sendable {
        /// The lowest ``StreamedUpdate/firstOffset`` of the widget's pending updates.
        var firstOffset: UInt64
        public var event: Event<Update>
        /// The JSON of `event`; nil if `event` was merged from several updates and is not encoded yet.
        public var json: Data?
    }

    private var entries: [WidgetID: Entry] = [:]
    /// The offset up to which all updates were added, here or to the stream before.
    private var addedUpTo: UInt64 = 0
    /// The number of updates that were merged into a later update.
    public private(set) var merged = 0

    public init() {}

    public var isEmpty: Bool { entries.isEmpty }

    /// Adds an update, and merges it with the pending update of its widget if there is one.
    public mutating func add(_ update: StreamedUpdate) {
        addedUpTo = max(addedUpTo, update.sentUpTo)
        guard let waiting = entries[update.widget] else {
            entries[update.widget] = Entry(firstOffset: update.firstOffset, event: update.event, json: update.json)
            return
        }
        merged += 1
        entries[update.widget] = Entry(
            firstOffset: min(waiting.firstOffset, update.firstOffset),
            event: Self.merge(waiting.event, update.event)
        )
    }

    /// Returns one event that replaces two consecutive events of a widget.
    ///
    /// The new event covers the cycles of both events and has the state of the later one. Its result is `newData` if
    /// one of the two events had that result.
    static func merge(_ earlier: Event<Update>, _ later: Event<Update>) -> Event<Update> {
        var event = later
        if let first = earlier.range?.first, let sequence = later.range?.sequence {
            event.range = SequenceRange(first: first, sequence: sequence) ?? later.range
        }
        event.data.changed = Set(earlier.data.changed).union(later.data.changed)
            .filter { later.data.displays[$0] != nil }.sorted()
        if earlier.data.result == .newData, later.data.result != .newData {
            event.data.result = .newData
            event.data.reason = earlier.data.reason
        }
        event.data.previousNewData = earlier.data.previousNewData
        // The row changes start from the state before the later update, and this reader never received that state.
        for name in event.data.displays.keys { event.data.displays[name]?.rowChanges = nil }
        return event
    }

    /// Removes and returns the entries that have waited longest, at most `count`.
    ///
    /// In the result, `sentUpTo` is the offset for the entry's event id. When a reader has received all entries up to
    /// and including this one, it has all cycles up to this offset.
    public mutating func take(atMost count: Int) -> [(entry: Entry, sentUpTo: UInt64)] {
        let ordered = entries.map { (widget: $0.key, firstOffset: $0.value.firstOffset) }
            .sorted { ($0.firstOffset, $0.widget) < ($1.firstOffset, $1.widget) }
        return ordered.prefix(count).enumerated().compactMap { index, element in
            let next = index + 1 < ordered.count ? ordered[index + 1].firstOffset - 1 : .max
            return entries.removeValue(forKey: element.widget).map { ($0, min(addedUpTo, next)) }
        }
    }
}
