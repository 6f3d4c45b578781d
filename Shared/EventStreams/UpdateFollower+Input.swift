// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
public import WidgetSchema

extension UpdateFollower {
    /// The inputs of a follower: messages from the bus, answers of the notifier, and changes of the connection.
    public enum Input: Sendable {
        /// All subscriptions on the bus are active for the first time.
        case subscribed
        /// The connection to the bus was lost and restored; messages that were sent in the meantime are missing.
        case resubscribed
        /// The notifier published an update; `json` is the JSON of the event.
        case update(Event<Update>, json: Data)
        case heads(NotifierHeads)
        /// The notifier answered a request with a page of records.
        case answer(Request, Records<Update>)
        /// A request failed; `isUnknown` is true if the notifier's stream does not contain the requested position.
        case failed(Request, isUnknown: Bool)
    }

    /// A request to the notifier.
    public struct Request: Hashable, Sendable {
        public enum Body: Hashable, Sendable {
            /// A page of the snapshot: the widgets after `after`, or the first page if `after` is nil.
            case snapshot(after: WidgetID?)
            /// The updates of all widgets after a position.
            case updates(since: StreamOffset)
            /// The cycles of widgets, beginning with these sequence numbers.
            case cycles(from: [WidgetID: SequenceNumber])
        }

        public let body: Body
        /// The number by which the follower recognises that it still waits for the answer.
        let number: UInt64

        init(_ body: Body, number: UInt64) {
            self.body = body
            self.number = number
        }
    }

    /// A consequence of an input; the owner performs the outputs in order.
    public enum Output: Sendable {
        /// Begins a stream: all updates after this position are of its epoch.
        ///
        /// `states` are the last updates of all widgets, and replace the states of the earlier epoch. A follower that
        /// began at a position or a sequence number returns this only when another epoch has begun. In the order of each
        /// widget, `states` contains only the followed widgets' cycles that are new.
        case begin(at: StreamOffset, states: [StreamedUpdate])
        /// A widget's state that is newer than its updates so far, but not the next update of the stream.
        case show(StreamedUpdate)
        /// The next update of the stream.
        case publish(StreamedUpdate)
        /// The states of all widgets are known; returned once after the first snapshot.
        case caughtUp
        case note(Note)
    }

    /// An occurrence that owners may count and log.
    ///
    /// Each case contains the widget, the id of the event, or a reason.
    public enum Note: Sendable, Equatable {
        case duplicate(WidgetID)
        case gap(WidgetID)
        case implausible(WidgetID)
        /// An event has no widget, no cycles or no offset; the value is the id of the event.
        case malformed(String)
        /// The notifier no longer has the stream that is followed.
        ///
        /// Usually the notifier's store was restored or replaced. The value is a text for the log, with the position
        /// that does not match.
        case otherEpoch(String)
    }
}
