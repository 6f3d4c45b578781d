// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The action that a consumer takes for one message of a stream.
public enum StreamStep: Hashable, Sendable {
    /// The message contains nothing new: drop it.
    case duplicate
    /// The message covers exactly the next cycle.
    ///
    /// The changes in the message are relative to the previous cycle, which the consumer has handled, so it can apply
    /// them.
    case next
    /// The message covers several cycles, and the next cycle is one of them: handle only the associated range.
    ///
    /// The range begins at the next cycle and ends at the last cycle of the message. The changes in the message are
    /// relative to a state that the consumer does not have. Therefore, the consumer must compare the state in the
    /// message with its own.
    case overlap(SequenceRange)
    /// Earlier cycles are missing: drop the message and request a replay from the sequence number `askFrom`.
    case gap(askFrom: SequenceNumber)

    /// A Boolean value that indicates whether the message is to be handled.
    ///
    /// If so, `StreamPosition.handle` advances the position to the last cycle of the message.
    public var isHandled: Bool {
        switch self {
        case .next, .overlap: true
        case .duplicate, .gap: false
        }
    }
}
