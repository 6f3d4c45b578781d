// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The number of a cycle of one widget; `zero` means that there is none yet.
///
/// The wire form is a string of 20 digits: JSON numbers guarantee only 53 bits, and zero-padding makes sorting by text
/// sort by number (the `sequence` extension of CloudEvents).
public struct SequenceNumber: Hashable, Comparable, Codable, Sendable, CustomStringConvertible,
    ExpressibleByIntegerLiteral
{
    /// The position of a consumer that has seen nothing.
    public static let zero = SequenceNumber(0)

    static let digits = 20

    public let number: UInt64

    public init(_ number: UInt64) { self.number = number }

    public init(integerLiteral value: UInt64) { self.init(value) }

    /// Reads 1 to 20 decimal digits.
    public init?(_ text: some StringProtocol) {
        guard (1...Self.digits).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt64(text)
        else { return nil }
        self.number = number
    }

    /// The next number; the maximum is its own successor.
    public var next: SequenceNumber { SequenceNumber(number == .max ? .max : number + 1) }

    /// The previous number; zero is its own predecessor.
    public var previous: SequenceNumber { SequenceNumber(number == 0 ? 0 : number - 1) }

    public var description: String {
        let text = String(number)
        return String(repeating: "0", count: Self.digits - text.utf8.count) + text
    }

    public static func < (left: SequenceNumber, right: SequenceNumber) -> Bool { left.number < right.number }

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = SequenceNumber(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "'\(text)' is not a sequence: a string of up to 20 digits below 2^64"
                )
            )
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
