// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

func range(_ first: UInt64, _ sequence: UInt64, _ location: SourceLocation = #_sourceLocation) throws -> SequenceRange {
    try #require(
        SequenceRange(first: SequenceNumber(first), sequence: SequenceNumber(sequence)),
        sourceLocation: location
    )
}

func widget(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> WidgetID {
    try #require(WidgetID(rawValue: name), sourceLocation: location)
}

/// Returns the instant that is `milliseconds` after an arbitrary fixed one.
func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 1_763_683_200_000 + milliseconds) }

/// A record whose state is its last cycle.
struct StateRecord: StreamRecord, Hashable, Sendable {
    var range: SequenceRange
    var state: UInt64

    init(_ range: SequenceRange, state: UInt64? = nil) {
        self.range = range
        self.state = state ?? range.sequence.number
    }

    func starting(at first: SequenceNumber) -> StateRecord {
        StateRecord(SequenceRange(first: first, sequence: range.sequence) ?? range, state: state)
    }
}

extension StreamPositions {
    /// Handles the range of a live message.
    mutating func handle(_ range: SequenceRange, of widget: WidgetID, at now: Instant) -> StreamStep {
        handle(range, of: widget, at: now, isReplayed: false)
    }

    /// Returns the next request for a replay; throws if there is none.
    mutating func requiredAsk(
        at now: Instant,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> ReplayAsk {
        let ask = nextAsk(at: now)
        return try #require(ask, sourceLocation: location)
    }
}
