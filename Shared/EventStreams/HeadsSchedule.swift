// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// Which heads a producer publishes when: those that changed each second, and beside them all in turn.
///
/// A consumer that lost everything, heads too, so learns of each widget's head within a round.
public struct HeadsSchedule: Sendable {
    /// The interval at which heads are published.
    public static let defaultIntervalMilliseconds: Int64 = 1000
    /// The maximum number of heads in one message; with the longest ids they stay below a client's frame.
    public static let defaultHeadsPerMessage = 400

    public let intervalMilliseconds: Int64
    public let headsPerMessage: Int
    private var heads: [WidgetID: Head] = [:]
    private var changed: Set<WidgetID> = []
    /// The widgets that are still to come in this round, the next one last.
    private var round: [WidgetID] = []
    private var wait: Wait?

    public init(
        _ heads: [WidgetID: Head] = [:],
        intervalMilliseconds: Int64 = defaultIntervalMilliseconds,
        headsPerMessage: Int = defaultHeadsPerMessage
    ) {
        precondition(headsPerMessage > 0, "a message of heads holds at least one")
        self.heads = heads
        self.intervalMilliseconds = intervalMilliseconds
        self.headsPerMessage = headsPerMessage
    }

    /// The head of a widget, as it was last set.
    public subscript(widget: WidgetID) -> Head? { heads[widget] }

    /// The number of widgets that have a head.
    public var count: Int { heads.count }

    /// Sets a widget's head; it is published with the next message where it is new.
    public mutating func set(_ head: Head, of widget: WidgetID) {
        guard heads.updateValue(head, forKey: widget) != head else { return }
        changed.insert(widget)
    }

    /// Has all heads published with the next messages: after the connection to the bus was lost, and messages with it.
    public mutating func announceAll() { changed = Set(heads.keys) }

    /// When the next messages are due; nil before the first ones, which are due at once.
    public var nextDeadline: Instant? { wait?.end }

    /// The messages that are due, none where the interval is not over or there are no widgets.
    ///
    /// All heads that changed are in them, and at least one message's worth in turn.
    public mutating func due(at now: Instant) -> [[WidgetID: Head]] {
        guard wait?.isOver(at: now) ?? true else { return [] }
        wait = Wait(since: now, milliseconds: intervalMilliseconds)
        if round.isEmpty { round = heads.keys.sorted(by: >) }
        var chosen = changed.sorted()
        var inTurn = 0
        while inTurn < headsPerMessage, let widget = round.popLast() {
            inTurn += 1
            if !changed.contains(widget) { chosen.append(widget) }
        }
        changed = []
        return stride(from: 0, to: chosen.count, by: headsPerMessage).map { start in
            var message: [WidgetID: Head] = [:]
            for widget in chosen[start..<min(start + headsPerMessage, chosen.count)] { message[widget] = heads[widget] }
            return message
        }
    }
}
