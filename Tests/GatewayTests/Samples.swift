// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Gateway

/// Updates for tests.
enum Samples {
    static let now = Instant(milliseconds: 1_763_683_200_000)

    static let limits = EventHub.Limits(TidingsConfiguration.Gateway())

    static func widget(_ name: String) throws -> WidgetID { try #require(WidgetID(rawValue: name)) }
    static func display(_ name: String) throws -> DisplayName { try #require(DisplayName(rawValue: name)) }

    static func digest(_ digit: Character) throws -> ContentDigest {
        try #require(ContentDigest(rawValue: String(repeating: digit, count: 64)))
    }

    static func event(
        _ name: String = "blog",
        _ first: UInt64,
        _ sequence: UInt64? = nil,
        offset: UInt64? = nil,
        result: UpdateResult = .noData,
        reason: Reason = .notModified,
        changed: [String] = []
    ) throws -> Event<Update> {
        let widget = try widget(name)
        let range = try #require(
            SequenceRange(first: SequenceNumber(first), sequence: SequenceNumber(sequence ?? first))
        )
        let update = try Update.sample(result, reason) { update in
            (update.outcome, update.summary) = (.notModified, "One post")
            update.changed = try changed.map(display)
            for (name, digit) in [("phone", "a"), ("wall", "b")] as [(String, Character)] {
                update.displays[try display(name)] = DisplayState(digest: try digest(digit), height: 110)
            }
            update.times = CycleTimes(decided: now)
        }
        let position = try offset.map(Self.offset)
        return Event(.update(result, widget), widget: widget, range: range, offset: position, time: now, data: update)
    }

    /// Returns a position in the stream of all widgets.
    static func offset(_ number: UInt64) throws -> StreamOffset {
        StreamOffset(epoch: try #require(StreamEpoch(rawValue: "00000000000000aa")), number: number)
    }

    static func streamed(_ event: Event<Update>, offset: UInt64) throws -> StreamedUpdate {
        StreamedUpdate(
            widget: try #require(event.widget),
            range: try #require(event.range),
            event: event,
            json: try WireJSON.encode(event),
            offset: offset
        )
    }
}
