// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The schedule by which a producer publishes its heads, which contain the latest sequence number of each widget.
///
/// ``PublicationRounds`` determines which heads are published: all that changed, and `headsPerMessage` further ones in
/// turn.
public struct HeadsSchedule: Sendable {
    /// The default interval between publications.
    public static let defaultInterval: Duration = .seconds(1)
    /// The default maximum number of heads in one message.
    ///
    /// Even with ids of the maximum length, such a message is below a client's frame limit.
    public static let defaultHeadsPerMessage = 400

    public let headsPerMessage: Int
    private var heads: [WidgetID: Head] = [:]
    private var rounds: PublicationRounds<WidgetID>

    public init(
        _ heads: [WidgetID: Head] = [:],
        interval: Duration = defaultInterval,
        headsPerMessage: Int = defaultHeadsPerMessage
    ) {
        self.heads = heads
        self.headsPerMessage = headsPerMessage
        rounds = PublicationRounds(interval: interval, perInterval: headsPerMessage)
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
        rounds.insert(widget)
    }

    /// Includes all heads in the next messages.
    ///
    /// Must be called after the connection to the bus was lost, because earlier messages may be lost too.
    public mutating func announceAll() { rounds.insert(heads.keys) }

    /// The time at which the next messages are due; nil before the first messages, which are due at once.
    public var nextDeadline: Instant? { rounds.nextDeadline }

    /// Returns the messages that are due; empty if the interval has not passed or if there are no widgets.
    ///
    /// Together, the messages contain all changed heads. They also contain the heads of the next `headsPerMessage`
    /// widgets of the current round, or of fewer widgets at the end of the round. Each single message contains at most
    /// `headsPerMessage` heads.
    ///
    /// A round goes through all widgets once.
    public mutating func due(at now: Instant) -> [[WidgetID: Head]] {
        guard let chosen = rounds.due(at: now, among: { heads.keys }) else { return [] }
        return stride(from: 0, to: chosen.count, by: headsPerMessage).map { start in
            var message: [WidgetID: Head] = [:]
            for widget in chosen[start..<min(start + headsPerMessage, chosen.count)] { message[widget] = heads[widget] }
            return message
        }
    }
}
