// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

extension Event {
    /// The suffix of the id of a record that carries its full state because it was replayed.
    public static var fullSuffix: String { "/full" }

    /// The same event standing for the cycles from an earlier number on; its id names the new range.
    ///
    /// The event is a stream's message: without a range it stays as it is.
    public func starting(at first: SequenceNumber) -> Event {
        guard let range, let wider = SequenceRange(first: min(first, range.first), sequence: range.sequence) else {
            return self
        }
        var event = self
        event.range = wider
        let suffix = id.hasSuffix(Self.fullSuffix) ? Self.fullSuffix : ""
        let stem = id.dropLast(suffix.count)
        if stem.hasSuffix(range.description) {
            event.id = stem.dropLast(range.description.count) + wider.description + suffix
        }
        return event
    }
}

extension Event where Payload == Update {
    /// The cycles that this update stands for in the eyes of a consumer who sees those with the result `newData` alone:
    /// everything since the `newData` before it.
    ///
    /// Such a consumer judges gaps by this range, and by `newDataHeads` of the notifier's heads. Nil where the event is
    /// no `newData` of a stream.
    public var newDataRange: SequenceRange? {
        guard data.result == .newData, let range else { return nil }
        return SequenceRange(first: (data.previousNewData ?? .zero).next, sequence: range.sequence)
    }
}

extension HeadsPayload {
    /// The newest sequence number of each stream.
    public var sequences: [WidgetID: SequenceNumber] { heads.mapValues(\.sequence) }
}

extension NotifierHeads {
    /// The newest sequence number of each stream for a consumer that only sees updates with the result `newData`.
    public var newDataSequences: [WidgetID: SequenceNumber] { heads.compactMapValues(\.lastNewData) }
}
