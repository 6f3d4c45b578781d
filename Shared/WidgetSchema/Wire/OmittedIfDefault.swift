// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A property of a stored record; its default value is not written, and a missing value is read as the default.
///
/// Records of earlier versions, which do not contain the value, therefore remain readable.
@propertyWrapper
public struct OmittedIfDefault<Value: DefaultValue & Sendable>: Codable, Hashable, Sendable {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Bool: DefaultValue { public static var defaultValue: Bool { false } }
extension Int64: DefaultValue { public static var defaultValue: Int64 { 0 } }

// The synthesised conformances of records to `Codable` call the following functions instead of this type's own ones.

extension KeyedDecodingContainer {
    public func decode<Value>(_ type: OmittedIfDefault<Value>.Type, forKey key: Key) throws -> OmittedIfDefault<Value> {
        OmittedIfDefault(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? Value.defaultValue)
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value>(_ value: OmittedIfDefault<Value>, forKey key: Key) throws {
        if value.wrappedValue != Value.defaultValue { try encode(value.wrappedValue, forKey: key) }
    }
}
