// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A type with a value for members that are missing in JSON.
public protocol DefaultValue: Codable, Hashable {
    static var defaultValue: Self { get }
}

extension UInt32: DefaultValue { public static var defaultValue: UInt32 { 0 } }
extension Array: DefaultValue where Element: Codable & Hashable {
    public static var defaultValue: [Element] { [] }
}
extension Dictionary: DefaultValue where Key: Codable, Value: Codable & Hashable {
    public static var defaultValue: [Key: Value] { [:] }
}

/// A property that messages and stores of earlier versions do not contain; it then has its default value.
@propertyWrapper
public struct DefaultIfAbsent<Value: DefaultValue & Sendable>: Codable, Hashable, Sendable {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

// The synthesised conformances to `Codable` call the following functions instead of this type's own ones.

extension KeyedDecodingContainer {
    public func decode<Value>(_ type: DefaultIfAbsent<Value>.Type, forKey key: Key) throws -> DefaultIfAbsent<Value> {
        DefaultIfAbsent(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? Value.defaultValue)
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value>(_ value: DefaultIfAbsent<Value>, forKey key: Key) throws {
        try encode(value.wrappedValue, forKey: key)
    }
}
