// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The position of a consumer in the stream of one widget.
///
/// Messages are judged by their range alone, never by an event's id: one that came too early comes again, with the same
/// range, in a replay.
public struct StreamPosition: Hashable, Sendable {
    /// The last cycle handled; zero where there is none.
    public private(set) var last: SequenceNumber

    public init(_ last: SequenceNumber = .zero) { self.last = last }

    /// Returns how to handle a message of this range.
    public func step(for range: SequenceRange) -> StreamStep {
        if range.sequence <= last { return .duplicate }
        if range.first > last.next { return .gap(askFrom: last.next) }
        if range.isSingle { return .next }
        // Not empty: the last cycle of the range is beyond the position.
        return SequenceRange(first: last.next, sequence: range.sequence).map(StreamStep.overlap) ?? .duplicate
    }

    /// Judges a message and moves behind it where it is to be handled.
    public mutating func handle(_ range: SequenceRange) -> StreamStep {
        let step = step(for: range)
        if step.isHandled { last = range.sequence }
        return step
    }
}
