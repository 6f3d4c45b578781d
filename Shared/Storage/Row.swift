// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials

/// One row of a query, valid while the closure that got it runs.
///
/// Columns are counted from 0. An accessor throws if the column contains another type than requested: nothing is
/// converted, cut or rounded.
public struct Row: ~Copyable {
    private let source: any RowSource

    init(_ source: any RowSource) {
        self.source = source
    }

    /// Returns the value of a column of any type.
    public func value(_ column: Int) throws(StorageError) -> SQLValue {
        try source.value(column)
    }

    public func integer(_ column: Int) throws(StorageError) -> Int64 {
        guard let integer = try optionalInteger(column) else { throw source.wrongType(column, "an integer", .null) }
        return integer
    }

    public func optionalInteger(_ column: Int) throws(StorageError) -> Int64? {
        switch try source.value(column) {
        case .null: nil
        case .integer(let integer): integer
        case let other: throw source.wrongType(column, "an integer", other)
        }
    }

    public func real(_ column: Int) throws(StorageError) -> Double {
        guard let real = try optionalReal(column) else { throw source.wrongType(column, "a real", .null) }
        return real
    }

    public func optionalReal(_ column: Int) throws(StorageError) -> Double? {
        switch try source.value(column) {
        case .null: nil
        case .real(let real): real
        case let other: throw source.wrongType(column, "a real", other)
        }
    }

    public func text(_ column: Int) throws(StorageError) -> String {
        guard let text = try optionalText(column) else { throw source.wrongType(column, "a text", .null) }
        return text
    }

    public func optionalText(_ column: Int) throws(StorageError) -> String? {
        switch try source.value(column) {
        case .null: nil
        case .text(let text): text
        case let other: throw source.wrongType(column, "a text", other)
        }
    }

    public func blob(_ column: Int) throws(StorageError) -> Data {
        guard let bytes = try optionalBlob(column) else { throw source.wrongType(column, "a blob", .null) }
        return bytes
    }

    public func optionalBlob(_ column: Int) throws(StorageError) -> Data? {
        switch try source.value(column) {
        case .null: nil
        case .blob(let bytes): bytes
        case let other: throw source.wrongType(column, "a blob", other)
        }
    }

    /// Returns a number that was stored with `SQLValue.unsigned`.
    public func unsigned(_ column: Int) throws(StorageError) -> UInt64 {
        UInt64(bitPattern: try integer(column)) ^ SQLValue.signBit
    }

    public func optionalUnsigned(_ column: Int) throws(StorageError) -> UInt64? {
        try optionalInteger(column).map { UInt64(bitPattern: $0) ^ SQLValue.signBit }
    }

    /// Returns a Boolean value, stored as 0 or 1.
    public func flag(_ column: Int) throws(StorageError) -> Bool {
        switch try integer(column) {
        case 0: false
        case 1: true
        case let other: throw source.wrongType(column, "0 or 1", .integer(other))
        }
    }
}
