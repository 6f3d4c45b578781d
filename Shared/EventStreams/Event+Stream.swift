// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

extension Event {
    /// The suffix of the ids of events that the cache sends in answers to `replay` and `snapshot` requests.
    ///
    /// The contents of these events follow the answer as frames.
    public static var fullSuffix: String { "/full" }

    /// Returns a copy of the event with a range that begins at the earlier sequence number `first`; the id of the copy
    /// names this range.
    ///
    /// Returns the event unchanged if it has no range.
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

extension HeadsPayload {
    /// The latest sequence number of each widget.
    public var sequences: [WidgetID: SequenceNumber] { heads.mapValues(\.sequence) }
}
