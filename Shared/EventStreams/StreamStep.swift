// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The handling of one message of a stream.
public enum StreamStep: Hashable, Sendable {
    /// All of it was handled before: drop it.
    case duplicate
    /// It is the very next cycle, alone: what it says about the one before holds.
    case next
    /// It holds the next cycle but stands for others too: handle it as this range, from the next cycle to its last.
    ///
    /// The message describes a change relative to another state than the consumer's, so the consumer compares with its
    /// own.
    case overlap(SequenceRange)
    /// Cycles before it are missing: drop it and ask for a replay from this number.
    case gap(askFrom: SequenceNumber)

    /// A Boolean value that indicates whether the message is to be handled; the position has advanced then.
    public var isHandled: Bool {
        switch self {
        case .next, .overlap: true
        case .duplicate, .gap: false
        }
    }
}
