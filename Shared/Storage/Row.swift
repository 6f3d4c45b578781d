// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials

/// One row of the result of a query, valid only while the closure that receives it runs.
///
/// Columns are counted from 0. An accessor throws if the column contains another type than requested: values are never
/// converted, cut or rounded.
public struct Row: ~Copyable {
    private let source: any ResultRows

    init(_ source: any ResultRows) {
        self.source = source
    }

    /// Returns the value of a column, whatever its type is.
    public func value(_ column: Int) throws(StorageError) -> SQLValue {
        try source.value(column)
    }

    public func integer(_ column: Int) throws(StorageError) -> Int64 {
        try required(optionalInteger(column), column, "an integer")
    }

    public func optionalInteger(_ column: Int) throws(StorageError) -> Int64? {
        try optional(column, "an integer") { if case .integer(let integer) = $0 { integer } else { nil } }
    }

    public func text(_ column: Int) throws(StorageError) -> String {
        try required(optionalText(column), column, "a text")
    }

    public func optionalText(_ column: Int) throws(StorageError) -> String? {
        try optional(column, "a text") { if case .text(let text) = $0 { text } else { nil } }
    }

    public func blob(_ column: Int) throws(StorageError) -> Data {
        try required(optionalBlob(column), column, "a blob")
    }

    public func optionalBlob(_ column: Int) throws(StorageError) -> Data? {
        try optional(column, "a blob") { if case .blob(let bytes) = $0 { bytes } else { nil } }
    }

    /// Returns the value of a column that must not contain NULL; throws if `value` is nil.
    ///
    /// `value` is the value of the column with the index `column`; nil if the column contains NULL. `expected` names
    /// the requested type in the error: "an integer".
    private func required<Value>(_ value: Value?, _ column: Int, _ expected: String) throws(StorageError) -> Value {
        guard let value else { throw source.wrongType(column, expected, .null) }
        return value
    }

    /// Returns a column's value, converted by `convert`; nil for NULL.
    ///
    /// Throws if `convert` returns nil, which means that the column contains another type than requested. `expected`
    /// names the requested type in the error: "an integer".
    private func optional<Value>(
        _ column: Int,
        _ expected: String,
        _ convert: (SQLValue) -> Value?
    ) throws(StorageError) -> Value? {
        let found = try source.value(column)
        if case .null = found { return nil }
        guard let value = convert(found) else { throw source.wrongType(column, expected, found) }
        return value
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
        case let other: throw source.wrongType(column, "a Boolean value (0 or 1)", .integer(other))
        }
    }
}
