// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The cycles of one widget that a message covers, from `first` to `sequence` inclusive; normally a single cycle.
public struct SequenceRange: Hashable, Sendable, CustomStringConvertible {
    public let first: SequenceNumber
    public let sequence: SequenceNumber

    /// Creates a range; nil if the range is empty, or if it starts at zero, because no cycle has this number.
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
