// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials

/// A value that goes into a statement or comes out of a column.
public enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    /// Text, of which every character counts, U+0000 too.
    case text(String)
    /// Bytes; no bytes are not the same as `null`.
    case blob(Data)

    /// A text, or `null` where there is none.
    public static func text(_ text: String?) -> SQLValue {
        guard let text else { return .null }
        return .text(text)
    }

    /// An integer, or `null` where there is none.
    public static func integer(_ integer: Int64?) -> SQLValue {
        guard let integer else { return .null }
        return .integer(integer)
    }

    /// Bytes, or `null` where there are none at all.
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
