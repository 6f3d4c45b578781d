// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The position of a consumer in the stream of one widget.
///
/// A message is a duplicate if all cycles in its range were handled. Event ids are not compared. A message that is
/// dropped because of a gap comes again in a replay, perhaps with the same id, and must then be handled.
public struct StreamPosition: Hashable, Sendable {
    /// The sequence number of the last cycle that was handled; zero if no cycle was handled.
    public private(set) var last: SequenceNumber

    public init(_ last: SequenceNumber = .zero) { self.last = last }

    /// Returns the action to take for a message that covers the cycles in `range`.
    public func step(for range: SequenceRange) -> StreamStep {
        if range.sequence <= last { return .duplicate }
        if range.first > last.next { return .gap(askFrom: last.next) }
        if range.isSingle { return .next }
        // The range is not empty: its last cycle is beyond the position.
        return SequenceRange(first: last.next, sequence: range.sequence).map(StreamStep.overlap) ?? .duplicate
    }

    /// Returns the action to take for a message that covers `range`, and advances the position if the message is to be
    /// handled.
    public mutating func handle(_ range: SequenceRange) -> StreamStep {
        let step = step(for: range)
        if step.isHandled { last = range.sequence }
        return step
    }
}
