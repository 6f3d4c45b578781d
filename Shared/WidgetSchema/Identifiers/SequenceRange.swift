// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The cycles `first`…`sequence` that one message covers; normally a single one.
public struct SequenceRange: Hashable, Sendable, CustomStringConvertible {
    public let first: SequenceNumber
    public let sequence: SequenceNumber

    /// Creates a range; nil if it is empty or starts at zero, which is not a cycle.
    public init?(first: SequenceNumber, sequence: SequenceNumber) {
        guard first > .zero, first <= sequence else { return nil }
        self.first = first
        self.sequence = sequence
    }

    /// Creates the range of one cycle.
    public init(_ sequence: SequenceNumber) {
        precondition(sequence > .zero, "zero is not a cycle")
        first = sequence
        self.sequence = sequence
    }

    public var isSingle: Bool { first == sequence }

    public var description: String { isSingle ? sequence.description : "\(first)-\(sequence)" }
}
