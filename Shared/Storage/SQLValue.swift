// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials

/// A parameter of a statement or a value of a column.
public enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    /// A text, which may contain U+0000.
    case text(String)
    /// Bytes; an empty value differs from `null`.
    case blob(Data)

    /// Returns a text, or `null` if it is nil.
    public static func text(_ text: String?) -> SQLValue {
        guard let text else { return .null }
        return .text(text)
    }

    /// Returns an integer, or `null` if it is nil.
    public static func integer(_ integer: Int64?) -> SQLValue {
        guard let integer else { return .null }
        return .integer(integer)
    }

    /// Returns bytes, or `null` if they are nil.
    public static func blob(_ bytes: Data?) -> SQLValue {
        guard let bytes else { return .null }
        return .blob(bytes)
    }

    /// Returns an unsigned integer for a BIGINT column, as a signed integer with the same order: zero becomes
    /// `Int64.min`.
    public static func unsigned(_ number: UInt64) -> SQLValue {
        .integer(Int64(bitPattern: number ^ signBit))
    }

    /// Returns an unsigned integer, or `null` if it is nil.
    public static func unsigned(_ number: UInt64?) -> SQLValue {
        guard let number else { return .null }
        return .unsigned(number)
    }

    static let signBit: UInt64 = 1 << 63

    /// Returns the integer 1 for true and 0 for false.
    public static func flag(_ flag: Bool) -> SQLValue {
        .integer(flag ? 1 : 0)
    }
}

extension SQLValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    public init(nilLiteral: ()) {
        self = .null
    }

    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    public init(floatLiteral value: Double) {
        self = .real(value)
    }

    public init(stringLiteral value: String) {
        self = .text(value)
    }
}
