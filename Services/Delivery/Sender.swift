// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The widget or board whose state a message has; messages of one subject go to a destination one after another.
enum DeliverySubject: Hashable, Comparable, Sendable, CustomStringConvertible {
    case widget(WidgetID)
    case board(BoardID)

    /// The form `widget/ID` or `board/ID`, which the store and the log use.
    var description: String {
        switch self {
        case .widget(let id): "widget/\(id)"
        case .board(let id): "board/\(id)"
        }
    }

    /// Parses the form of ``description``; nil for any other text.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1).map { String($0) }
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "widget":
            guard let id = WidgetID(rawValue: parts[1]) else { return nil }
            self = .widget(id)
        case "board":
            guard let id = BoardID(rawValue: parts[1]) else { return nil }
            self = .board(id)
        default: return nil
        }
    }

    init(widget: WidgetID) { self = .widget(widget) }
    init(board: BoardID) { self = .board(board) }

    static func < (left: DeliverySubject, right: DeliverySubject) -> Bool {
        switch (left, right) {
        case (.widget(let left), .widget(let right)): left < right
        case (.board(let left), .board(let right)): left < right
        case (.board, .widget): true
        case (.widget, .board): false
        }
    }
}

/// One attempt to send a message to a destination.
struct DeliveryAttempt: Hashable, Sendable {
    /// The id of the message, the same in each attempt: a hash of the destination and the body.
    var message: String
    var destination: DestinationName
    var subject: DeliverySubject
    /// The one-based number of the attempt.
    var number: Int
    /// The CloudEvent as JSON: `tidings.update.v1` for a widget, `tidings.board.v1` for a board.
    ///
    /// It is stored with the message, so it has the same bytes in each attempt.
    var body: Data
    /// The wall-clock time at which the attempt begins.
    var time: Instant
    /// The maximum duration of the attempt; a sender that exceeds it calls its completion with `unknown`.
    var timeout: Duration
    /// A Boolean value that indicates whether the update has a high priority by the destination's configuration.
    var isHighPriority = false
    /// A Boolean value that indicates whether a person started this attempt as a test.
    var isTest = false
    /// A Boolean value that indicates whether the message has a state that has not changed since it was last sent, for
    /// example because the destination is new or has lost it.
    var isState = false
}

/// The state that a destination has kept of a widget or board, as it reported after a connection.
struct KeptState: Hashable, Sendable {
    /// The last cycle of a widget; nil for a board.
    var sequence: SequenceNumber?
    /// The digest of the picture; nil if it has none.
    var digest: String?
}

/// The result of an attempt.
///
/// A reason is one sentence for logs and `tidings explain`; it contains no secret, and no address with a user, a password
/// or a query.
enum DeliveryOutcome: Hashable, Sendable {
    /// The destination has accepted the message.
    case delivered
    /// The destination did not accept the message, and may accept it later.
    ///
    /// `after` is the time for which it asked to wait; nil if it named none. `isServerFailure` is true if the server did not
    /// answer, or answered that it fails (5xx), so that other messages to it would fail, too.
    case retry(after: Duration?, reason: String, isServerFailure: Bool = false)
    /// The destination will never accept this message; it is dropped, and the next one is sent.
    case rejected(reason: String)
    /// The destination no longer exists; nothing is sent to it until its configuration changes.
    case gone(reason: String)
    /// The destination may or may not have accepted the message; it is sent again with the same id.
    case unknown(reason: String)
}

/// The sender of one destination: it knows the protocol, and decides nothing.
///
/// It is created for a configuration of the destination, and replaced when this configuration changes. `send` is called
/// on the service's thread and must not block. The core has at most one attempt in flight for each subject; attempts of
/// several subjects run at the same time.
protocol Sender: AnyObject, Sendable {
    typealias Completion = @Sendable (DeliveryOutcome) -> Void

    /// Starts an attempt, and calls `completion` exactly once with its result, on any thread.
    func send(_ attempt: DeliveryAttempt, completion: @escaping Completion)

    /// Stops the sender; attempts in flight end with `unknown`. This is the last call.
    func stop()
}

/// The sender of a destination of the configuration, which can be checked.
protocol DestinationSender: Sender {
    /// Checks that the destination can be reached, without a message that people see; calls `completion` exactly once.
    ///
    /// The result is `delivered` if the destination answered.
    func check(timeout: Duration, completion: @escaping Completion)
}

/// The picture of a message: a widget on a display in one cycle.
struct PictureRequest: Hashable, Sendable {
    var widget: WidgetID
    var display: DisplayName
    var sequence: SequenceNumber
    /// The digest of the display in this cycle, whose picture a later cycle with the same digest has, too; nil if it is unknown.
    var digest: String?
}

/// The pictures of widgets, for senders whose messages contain one.
protocol PictureProvider: AnyObject, Sendable {
    /// Draws a picture as PNG, and calls `completion` exactly once, on any thread.
    ///
    /// The result is nil if the widget cannot be drawn now, or no longer looks as in the requested cycle.
    func picture(of request: PictureRequest, completion: @escaping @Sendable (Data?) -> Void)
}
