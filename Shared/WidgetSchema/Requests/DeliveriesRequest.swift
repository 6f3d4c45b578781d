// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the service `delivery` for the state of its destinations, or for what became of one update.
public struct DeliveriesRequest: RequestBody {
    public static let name = "deliveries"
    public typealias Result = DeliveriesAnswer

    /// The properties of an update by which destinations choose.
    public struct Cycle: Codable, Hashable, Sendable {
        public var sequence: SequenceNumber
        public var result: UpdateResult
        public var reason: Reason
        public var changed: [DisplayName]
        public var displays: [DisplayName]

        public init(
            sequence: SequenceNumber,
            result: UpdateResult,
            reason: Reason,
            changed: [DisplayName],
            displays: [DisplayName]
        ) {
            self.sequence = sequence
            self.result = result
            self.reason = reason
            self.changed = changed
            self.displays = displays
        }
    }

    /// The widget; nil for all widgets and boards.
    public var widget: WidgetID?
    /// The update of the widget that is asked for; nil for the widget's present state.
    public var cycle: Cycle?

    public init(widget: WidgetID? = nil, cycle: Cycle? = nil) {
        self.widget = widget
        self.cycle = cycle
    }
}

/// The answer to a ``DeliveriesRequest``.
public struct DeliveriesAnswer: Codable, Hashable, Sendable {
    /// The maximum number of destinations in an answer, and that of widgets and boards of all of them together.
    public static let maximumSubjects = 2_000

    public var destinations: [DestinationReport]
    /// A Boolean value that indicates whether destinations, widgets or boards are left out.
    public var more: Bool

    public init(destinations: [DestinationReport], more: Bool) {
        self.destinations = destinations
        self.more = more
    }
}

/// The state of one destination.
public struct DestinationReport: Codable, Hashable, Sendable {
    public var destination: DestinationName
    public var kind: String
    /// The maximum number of messages of each widget or board in 24 hours; nil if it is unlimited.
    public var perDay: Int?
    /// The reason why nothing can be sent at present; nil if there is none.
    public var problem: String?
    /// The number of messages that the destination accepted.
    public var delivered: Int
    /// The number of updates without a visible change, for which no message was sent.
    public var savedByNoData: Int
    /// The number of updates that were merged with a later one.
    public var savedByMerging: Int
    public var subjects: [DeliveryReport]

    public init(
        destination: DestinationName,
        kind: String,
        perDay: Int? = nil,
        problem: String? = nil,
        delivered: Int,
        savedByNoData: Int,
        savedByMerging: Int,
        subjects: [DeliveryReport]
    ) {
        self.destination = destination
        self.kind = kind
        self.perDay = perDay
        self.problem = problem
        self.delivered = delivered
        self.savedByNoData = savedByNoData
        self.savedByMerging = savedByMerging
        self.subjects = subjects
    }
}

/// The state of one widget or board at a destination.
public struct DeliveryReport: Codable, Hashable, Sendable {
    public enum State: String, Codable, CaseIterable, Sendable {
        /// Nothing waits; the last message, if there was one, was accepted.
        case delivered
        /// The update waits for the budget, or for a destination that asked for a pause.
        case waiting
        case sending
        /// The last attempt failed, and another one follows.
        case retrying
        /// The destination rejected the message, and it was dropped.
        case rejected
        /// No message was sent for the update.
        case none
    }

    /// The widget; nil for a board.
    public var widget: WidgetID?
    /// The board; nil for a widget.
    public var board: BoardID?
    public var state: State
    /// One sentence for a person.
    public var reason: String
    /// The number of attempts of the message; nil if there is none.
    public var attempts: Int?
    /// The number of messages in the last 24 hours; nil without a budget.
    public var spent: Int?
    /// The number of messages that the budget allows at present; nil without a budget.
    public var left: Int?
    /// The time of the next attempt, or of the next message that the budget allows; nil if it is now, or if nothing waits.
    public var next: Instant?

    public init(
        widget: WidgetID? = nil,
        board: BoardID? = nil,
        state: State,
        reason: String,
        attempts: Int? = nil,
        spent: Int? = nil,
        left: Int? = nil,
        next: Instant? = nil
    ) {
        self.widget = widget
        self.board = board
        self.state = state
        self.reason = reason
        self.attempts = attempts
        self.spent = spent
        self.left = left
        self.next = next
    }
}

/// A request to the service `delivery` to send an update to a destination as a test; it costs nothing of the budget.
public struct DeliverTestRequest: RequestBody {
    public static let name = "deliverTest"
    public typealias Result = DeliverTestAnswer

    public var destination: DestinationName
    public var update: Event<Update>

    public init(destination: DestinationName, update: Event<Update>) {
        self.destination = destination
        self.update = update
    }
}

/// The answer to a ``DeliverTestRequest``, when the attempt has ended.
public struct DeliverTestAnswer: Codable, Hashable, Sendable {
    public var isDelivered: Bool
    /// The reason why the message was not delivered; nil if it was.
    public var reason: String?
    public var milliseconds: Int

    public init(isDelivered: Bool, reason: String? = nil, milliseconds: Int) {
        self.isDelivered = isDelivered
        self.reason = reason
        self.milliseconds = milliseconds
    }
}
