// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The schedule by which a producer publishes its heads, which contain the latest sequence number of each widget.
///
/// Once per `interval`, the producer publishes all heads that changed since the last publication. It also goes through
/// all widgets in rounds, in ascending order of their ids: each publication includes the heads of the next
/// `headsPerMessage` widgets, changed or not. A round ends when it has reached the last widget. So even a consumer that
/// lost all earlier messages receives the head of each widget within one round.
public struct HeadsSchedule: Sendable {
    /// The default interval between publications.
    public static let defaultInterval: Duration = .seconds(1)
    /// The default maximum number of heads in one message.
    ///
    /// Even with ids of the maximum length, such a message is below a client's frame limit.
    public static let defaultHeadsPerMessage = 400

    public let interval: Duration
    public let headsPerMessage: Int
    private var heads: [WidgetID: Head] = [:]
    private var changed: Set<WidgetID> = []
    /// The widgets that the current round has not reached yet, in descending order of their ids.
    ///
    /// The last element is the next widget of the round.
    private var round: [WidgetID] = []
    private var wait: Wait?

    public init(
        _ heads: [WidgetID: Head] = [:],
        interval: Duration = defaultInterval,
        headsPerMessage: Int = defaultHeadsPerMessage
    ) {
        precondition(headsPerMessage > 0, "the maximum number of heads in a message must be at least 1")
        self.heads = heads
        self.interval = interval
        self.headsPerMessage = headsPerMessage
    }

    /// The current head of a widget; nil if it has none.
    public subscript(widget: WidgetID) -> Head? { heads[widget] }

    /// The number of widgets with a head.
    public var count: Int { heads.count }

    /// Sets the head of a widget.
    ///
    /// The next messages include the head if it differs from the previous head of this widget.
    public mutating func set(_ head: Head, of widget: WidgetID) {
        guard heads.updateValue(head, forKey: widget) != head else { return }
        changed.insert(widget)
    }

    /// Includes all heads in the next messages.
    ///
    /// Must be called after the connection to the bus was lost, because earlier messages may be lost too.
    public mutating func announceAll() { changed = Set(heads.keys) }

    /// The time at which the next messages are due; nil before the first messages, which are due at once.
    public var nextDeadline: Instant? { wait?.end }

    /// Returns the messages that are due; empty if the interval has not passed or if there are no widgets.
    ///
    /// Together, the messages contain all changed heads. They also contain the heads of the next `headsPerMessage`
    /// widgets of the current round, or of fewer widgets at the end of the round. Each single message contains at most
    /// `headsPerMessage` heads.
    ///
    /// A round goes through all widgets once.
    public mutating func due(at now: Instant) -> [[WidgetID: Head]] {
        guard wait?.isOver(at: now) ?? true else { return [] }
        wait = Wait(since: now, duration: interval)
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
