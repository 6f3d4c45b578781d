// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The number that identifies one cycle of a widget; ``zero`` means that the widget has no cycle yet.
///
/// The wire form is a string of 20 digits (the `sequence` extension of CloudEvents). It is a string because JSON
/// numbers guarantee only 53 bits. Because of the leading zeros, strings sort in the order of their numbers.
public struct SequenceNumber: Hashable, Comparable, CodableAsText, Sendable, ExpressibleByIntegerLiteral {
    public static let refusal = "is not a sequence number (1 to 20 digits, below 2^64)"

    /// The number 0, which no cycle has; it stands for a widget without cycles, or for a consumer that has received no
    /// cycle.
    public static let zero = SequenceNumber(0)

    static let digits = 20

    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }

    public init(integerLiteral value: UInt64) { self.init(value) }

    /// Parses 1 to 20 decimal digits; nil for any other text, and for numbers above 2^64 - 1.
    public init?(_ text: some StringProtocol) {
        guard (1...Self.digits).contains(text.utf8.count),
            text.utf8.allSatisfy(\.isDigit), let number = UInt64(text)
        else { return nil }
        self.number = number
    }

    /// The next number; the maximum is its own successor.
    public var next: SequenceNumber { SequenceNumber(number == .max ? .max : number + 1) }

    /// The previous number; zero is its own predecessor.
    public var previous: SequenceNumber { SequenceNumber(number == 0 ? 0 : number - 1) }

    public var description: String { number.padded(to: Self.digits) }

    public static func < (left: SequenceNumber, right: SequenceNumber) -> Bool { left.number < right.number }
}
