// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials

/// A parameter of a statement or a value of a column.
public enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    /// A text, which may contain U+0000.
    case text(String)
    /// Bytes; an empty value differs from `null`.
    case blob(Data)

    /// Returns the value for `text`; `null` if `text` is nil.
    public static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }

    /// Returns the value for `integer`; `null` if `integer` is nil.
    public static func integer(_ integer: Int64?) -> SQLValue { integer.map { .integer($0) } ?? .null }

    /// Returns the value for `bytes`; `null` if `bytes` is nil.
    public static func blob(_ bytes: Data?) -> SQLValue { bytes.map { .blob($0) } ?? .null }

    /// Returns the signed integer that stores `number` in a BIGINT column.
    ///
    /// Zero is stored as `Int64.min`, so the stored integers have the same order as the numbers.
    public static func unsigned(_ number: UInt64) -> SQLValue {
        .integer(Int64(bitPattern: number ^ signBit))
    }

    /// Returns the value that stores `number` in a BIGINT column; `null` if `number` is nil.
    public static func unsigned(_ number: UInt64?) -> SQLValue { number.map { .unsigned($0) } ?? .null }

    static let signBit: UInt64 = 1 << 63
}

extension SQLValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    public init(nilLiteral: ()) {
        self = .null
    }

    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    public init(stringLiteral value: String) {
        self = .text(value)
    }
}
