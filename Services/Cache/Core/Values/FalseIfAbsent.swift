// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A Boolean value in a stored record; false is not written, and a missing value is read as false.
///
/// Records of earlier versions, which do not contain the value, therefore remain readable.
@propertyWrapper
struct FalseIfAbsent: Codable, Hashable, Sendable {
    var wrappedValue: Bool

}

// The synthesised conformances of records to `Codable` call the following functions instead of this type's own ones.

extension KeyedDecodingContainer {
    func decode(_ type: FalseIfAbsent.Type, forKey key: Key) throws -> FalseIfAbsent {
        FalseIfAbsent(wrappedValue: try decodeIfPresent(Bool.self, forKey: key) ?? false)
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ value: FalseIfAbsent, forKey key: Key) throws {
        if value.wrappedValue { try encode(true, forKey: key) }
    }
}
