// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import ServiceEngine
import Storage
import Testing
import WidgetSchema

@testable import Notifier

/// Returns the instant that is `milliseconds` after an arbitrary fixed one.
func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 1_763_683_200_000 + milliseconds) }

/// Returns the reading of both clocks that is `milliseconds` after an arbitrary fixed one.
func reading(_ milliseconds: Int64) -> ClockReading {
    ClockReading(wall: at(milliseconds), monotonic: someMoment + .milliseconds(milliseconds))
}

private let someMoment = ContinuousClock.now

func widget(_ name: String = "blog", _ location: SourceLocation = #_sourceLocation) throws -> WidgetID {
    try #require(WidgetID(rawValue: name), sourceLocation: location)
}

/// The widget of most tests.
let blog = {
    guard let blog = WidgetID(rawValue: "blog") else { preconditionFailure("blog is a widget id") }
    return blog
}()

func display(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> DisplayName {
    try #require(DisplayName(rawValue: name), sourceLocation: location)
}

/// Returns a digest for what a display shows.
func digest(of shown: some CustomStringConvertible) throws -> ContentDigest {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(shown)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    return try #require(ContentDigest(rawValue: String(repeating: padded, count: 4)))
}

func range(_ first: UInt64, _ sequence: UInt64) throws -> SequenceRange {
    try #require(SequenceRange(first: SequenceNumber(first), sequence: SequenceNumber(sequence)))
}

extension LaidOut {
    /// Returns a cycle in which each display shows the text that is given for its name.
    static func showing(
        _ displays: [String: String],
        cause: Cause = .refresh,
        outcome: Outcome = .changed,
        failure: AttemptFailure.Class? = nil,
        isMissing: Bool = false,
        engine: Int = 1
    ) throws -> LaidOut {
        var states: [DisplayName: DisplayState] = [:]
        for (name, shown) in displays {
            states[try display(name)] = DisplayState(digest: try digest(of: shown), height: 110)
        }
        return LaidOut(
            cause: cause,
            outcome: outcome,
            failure: failure.map { AttemptFailure(class: $0, message: "http://example.org/ did not answer") },
            contentIsMissing: isMissing,
            hasContent: !isMissing,
            displays: states,
            summary: displays.values.sorted().joined(separator: " · "),
            engine: LayoutEngineVersion(version: engine),
            times: CycleTimes(answered: at(-30), committed: at(-20), laidOut: at(-10))
        )
    }

    /// Returns the last cycle of a removed widget.
    static func removed() throws -> LaidOut { try showing([:], cause: .removed, outcome: .fresh) }

    func event(_ range: SequenceRange, of widget: WidgetID) -> Event<LaidOut> {
        Event(.laidOut(widget), widget: widget, range: range, time: at(-10), data: self)
    }
}

/// Returns a position in the stream of all widgets, in the epoch of every store of these tests.
func offset(_ number: UInt64) throws -> StreamOffset {
    StreamOffset(epoch: try #require(StreamEpoch(rawValue: "00000000000000aa")), number: number)
}

typealias NotifierEngine = Engine<NotifierCore, FlakyStore, NoWorkers>

extension NotifierEngine {
    /// Processes a batch at a time in milliseconds.
    mutating func run(
        _ inputs: [NotifierInput],
        at milliseconds: Int64
    ) throws -> BatchOutcome<NotifierInput, NotifierEffect> {
        try process(inputs, setup: NotifierSetup(nonce: "n"), now: reading(milliseconds))
    }
}

/// Returns the layout of a cycle that shows a text on one display.
func cycle(_ sequence: UInt64, _ shown: String, of widget: WidgetID) throws -> NotifierInput {
    .laidOut(try LaidOut.showing(["compact": shown]).event(try range(sequence, sequence), of: widget), of: widget)
}

extension NotifierCore {
    /// A core over an empty store.
    init(nonce: String) throws { self.init(end: try offset(0), nonce: nonce) }

    /// Gives the core one cycle of a widget and returns the updates that it decided.
    mutating func updates(
        _ laidOut: LaidOut,
        _ first: UInt64,
        _ sequence: UInt64? = nil,
        of widget: WidgetID,
        now: Instant = at(0)
    ) throws -> [Event<Update>] {
        let event = laidOut.event(try range(first, sequence ?? first), of: widget)
        return try handle(.laidOut(event, of: widget), now: now).updates()
    }

    /// Gives the core one cycle of a widget and returns its update; records an issue if there is not exactly one.
    mutating func update(
        _ laidOut: LaidOut,
        _ first: UInt64,
        _ sequence: UInt64? = nil,
        of widget: WidgetID
    ) throws -> Event<Update> {
        let updates = try updates(laidOut, first, sequence, of: widget)
        #expect(updates.count == 1)
        return try #require(updates.first)
    }

    /// Ends a batch and returns the core's request for a replay; nil if there is none.
    mutating func ask(at now: Instant) -> CatchUpRequest? {
        for case .ask(let ask, of: _) in endBatch(now: now) { return ask }
        return nil
    }
}

extension NotifierStep {
    /// Returns the published updates, and checks that each is committed with the same bytes.
    func updates() throws -> [Event<Update>] {
        let committed = Set(writes.map(\.update.event))
        var updates: [Event<Update>] = []
        for case .publish(let topic, let bytes) in effects where topic.text.hasPrefix(Topic.Prefix.update) {
            #expect(committed.contains(bytes), "an update is committed before it is published")
            let event = try WireJSON.decode(Event<Update>.self, from: bytes)
            let widget = try #require(event.widget)
            #expect(topic == .update(event.data.result, widget))
            updates.append(event)
        }
        return updates
    }
}

extension NotifierStore {
    /// Opens the store in a file `notifier.sqlite`.
    convenience init(path: String, history: Int = defaultHistory) throws {
        try self.init(.folder(StoreFolder((path as NSString).deletingLastPathComponent)), history: history)
    }
}

extension WidgetState {
    /// Creates the state of a widget whose displays have changed at unknown times.
    init(
        digests: [DisplayName: ContentDigest],
        showedContent: Bool = false,
        wasHidden: Bool = false,
        lastNewData: SequenceNumber? = nil
    ) {
        self.init(
            displays: digests.mapValues { ShownDisplay(digest: $0) },
            showedContent: showedContent,
            wasHidden: wasHidden,
            lastNewData: lastNewData
        )
    }

    /// The digest of the layout on each display.
    var digests: [DisplayName: ContentDigest] {
        get { displays.mapValues(\.digest) }
        set { displays = newValue.mapValues { ShownDisplay(digest: $0) } }
    }
}
