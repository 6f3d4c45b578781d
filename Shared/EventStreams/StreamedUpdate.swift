// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
public import WidgetSchema

/// An update in the order of a stream, with its JSON.
public struct StreamedUpdate: Sendable {
    public let widget: WidgetID
    public let range: SequenceRange
    public let event: Event<Update>
    /// The JSON of the event, on one line.
    public let json: Data
    /// The offset of the update in the notifier's stream, which contains the updates of all widgets.
    ///
    /// Zero in the order of each widget, in which an update may be of an earlier epoch.
    public let offset: UInt64
    /// The lowest offset of the updates that this update may cover; equal to `offset` unless a replay skipped offsets.
    public var firstOffset: UInt64
    /// The offset for the event id; lower than `offset` if a replay skipped offsets that a later update covers.
    ///
    /// A reader that has received this update and all earlier ones has received all cycles up to this offset.
    public var sentUpTo: UInt64

    public init(widget: WidgetID, range: SequenceRange, event: Event<Update>, json: Data, offset: UInt64) {
        self.widget = widget
        self.range = range
        self.event = event
        self.json = json
        self.offset = offset
        firstOffset = offset
        sentUpTo = offset
    }

    /// Creates an update from an event and its JSON; nil if the event has no widget, cycles or offset.
    ///
    /// `json` is nil for a record of a replay or a snapshot, which is encoded here.
    public init?(_ event: Event<Update>, json: Data? = nil) {
        guard let widget = event.widget, let range = event.range, let offset = event.offset,
            let json = json ?? (try? WireJSON.encode(event))
        else { return nil }
        self.init(widget: widget, range: range, event: event, json: json, offset: offset.number)
    }

    /// A Boolean value that indicates whether the widget no longer exists.
    public var isRemoval: Bool { event.data.reason == .removed }
}

extension Event where Payload == Update {
    /// The event, with the result `newData` if any of the cycles that the event covers had this result.
    ///
    /// The notifier may replace several old updates of a widget by one record. The record covers the cycles of all
    /// these updates, but has the state and the result of the last one. If an earlier cycle had the result `newData`,
    /// the record's result is replaced by `newData`, and all displays are listed as changed.
    public var coveringNewData: Event<Update> {
        guard let range, data.result != .newData, let last = data.previousNewData, last >= range.first else {
            return self
        }
        var event = self
        event.data.result = .newData
        event.data.reason = .visibleChange
        event.data.changed = data.displays.keys.sorted()
        return event
    }
}
