// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import TestSupport
import Testing
import WidgetSchema

func range(_ first: UInt64, _ sequence: UInt64, _ location: SourceLocation = #_sourceLocation) throws -> SequenceRange {
    let range = SequenceRange(first: SequenceNumber(first), sequence: SequenceNumber(sequence))
    return try #require(range, sourceLocation: location)
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
    mutating func requiredRequest(at now: Instant, _ location: SourceLocation = #_sourceLocation) throws
        -> CatchUpRequest
    {
        let ask = nextRequest(at: now)
        return try #require(ask, sourceLocation: location)
    }
}

/// Returns an update of the cycles `first` to `sequence`, or of the one cycle `first`.
func update(
    _ name: String,
    _ first: UInt64,
    _ sequence: UInt64? = nil,
    offset: StreamOffset?,
    result: UpdateResult = .noData
) throws -> Event<Update> {
    let widget = try widget(name)
    let displays = try ["phone", "wall"].map { name in
        let digest = try #require(ContentDigest(rawValue: String(repeating: "a", count: 64)))
        return (try #require(DisplayName(rawValue: name)), DisplayState(digest: digest, height: 110))
    }
    let data = Update.sample(result, result == .newData ? .visibleChange : .notModified) {
        ($0.outcome, $0.displays) = (.notModified, Dictionary(uniqueKeysWithValues: displays))
    }
    let cycles = try range(first, sequence ?? first)
    return Event(.update(result, widget), widget: widget, range: cycles, offset: offset, time: at(0), data: data)
}

/// Returns a position in the stream of all widgets.
func offset(_ number: UInt64, epoch: String = "00000000000000aa") throws -> StreamOffset {
    StreamOffset(epoch: try #require(StreamEpoch(rawValue: epoch)), number: number)
}
