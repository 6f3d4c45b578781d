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

    /// A text, or `null` if it is nil.
    public static func text(_ text: String?) -> SQLValue {
        guard let text else { return .null }
        return .text(text)
    }

    /// An integer, or `null` if it is nil.
    public static func integer(_ integer: Int64?) -> SQLValue {
        guard let integer else { return .null }
        return .integer(integer)
    }

    /// Bytes, or `null` if they are nil.
    public static func blob(_ bytes: Data?) -> SQLValue {
        guard let bytes else { return .null }
        return .blob(bytes)
    }

    /// An unsigned integer in a BIGINT column, which sorts as the numbers do: zero is stored as the smallest signed
    /// integer.
    public static func unsigned(_ number: UInt64) -> SQLValue {
        .integer(Int64(bitPattern: number ^ signBit))
    }

    /// An unsigned integer, or `null`.
    public static func unsigned(_ number: UInt64?) -> SQLValue {
        guard let number else { return .null }
        return .unsigned(number)
    }

    static let signBit: UInt64 = 1 << 63

    /// The integer 1 or 0.
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
