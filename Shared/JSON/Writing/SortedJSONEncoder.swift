// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// An encoder for JSON with sorted keys and without escaped slashes, so that equal values have equal bytes.
///
/// The bytes equal those of Foundation's `JSONEncoder` with these settings; tests compare them. `JSONEncoder` first
/// builds a tree of dictionaries, which took a third of the cache's time per cycle. This encoder writes each value
/// directly, and sorts the members of an object when the object ends.
package final class SortedJSONEncoder: Encoder {
    /// The JSON that was written so far.
    ///
    /// It is allocated separately, because Swift checks each access to a stored property of a class for exclusivity at
    /// run time.
    fileprivate let text: UnsafeMutablePointer<SortedJSONText>

    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    private init() {
        text = .allocate(capacity: 1)
        text.initialize(to: SortedJSONText())
    }

    deinit {
        text.deinitialize(count: 1)
        text.deallocate()
    }

    /// Returns the JSON of a value.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = SortedJSONEncoder()
        try encoder.write(value)
        return Data(encoder.text.pointee.bytes)
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        text.pointee.begin(.object)
        return KeyedEncodingContainer(KeyedContainer<Key>(encoder: self))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        text.pointee.begin(.array)
        return UnkeyedContainer(encoder: self)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleContainer(encoder: self)
    }

    fileprivate func write<Value: Encodable>(_ value: Value) throws {
        // Types that Foundation's coder encodes differently from their own `encode(to:)`.
        if Value.self == Data.self, let data = value as? Data {
            return text.pointee.write(data.base64EncodedString())
        }
        if Value.self == URL.self, let url = value as? URL {
            return text.pointee.write(url.absoluteString)
        }
        text.pointee.open()
        try value.encode(to: self)
        text.pointee.close()
    }

    fileprivate func write(number value: some JSONNumber) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "JSON has no number \(value)")
            )
        }
        text.pointee.write(number: value)
    }

    /// Creates an encoder for a nested container.
    ///
    /// When the enclosing container ends, the bytes of the nested container are inserted into it.
    fileprivate static func nested() -> SortedJSONEncoder {
        let encoder = SortedJSONEncoder()
        encoder.text.pointee.open()
        return encoder
    }

    func finish() -> [UInt8] {
        text.pointee.close()
        return text.pointee.bytes
    }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: SortedJSONEncoder
    var codingPath: [any CodingKey] { [] }

    private func begin(_ key: some CodingKey) -> Int { encoder.text.pointee.beginMember(key.stringValue) }

    private func end(_ key: some CodingKey, _ start: Int, nested: SortedJSONEncoder? = nil) {
        encoder.text.pointee.endMember(key.stringValue, start, nested: nested)
    }

    private func nested(_ key: some CodingKey) -> SortedJSONEncoder {
        let nested = SortedJSONEncoder.nested()
        end(key, begin(key), nested: nested)
        return nested
    }

    mutating func encodeNil(forKey key: Key) {
        let start = begin(key)
        encoder.text.pointee.writeNull()
        end(key, start)
    }

    mutating func encode(_ value: Bool, forKey key: Key) {
        let start = begin(key)
        encoder.text.pointee.write(value)
        end(key, start)
    }

    mutating func encode(_ value: String, forKey key: Key) {
        let start = begin(key)
        encoder.text.pointee.write(value)
        end(key, start)
    }

    mutating func encode(_ value: some JSONNumber, forKey key: Key) throws {
        let start = begin(key)
        try encoder.write(number: value)
        end(key, start)
    }

    mutating func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) {
        let start = begin(key)
        encoder.text.pointee.write(integer: value)
        end(key, start)
    }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        let start = begin(key)
        try encoder.write(value)
        end(key, start)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested(SuperKey.super) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: SortedJSONEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.text.pointee.elementCount }

    private func nested() -> SortedJSONEncoder {
        let nested = SortedJSONEncoder.nested()
        encoder.text.pointee.addNestedElement(nested)
        return nested
    }

    mutating func encodeNil() {
        encoder.text.pointee.beginElement()
        encoder.text.pointee.writeNull()
    }

    mutating func encode(_ value: Bool) {
        encoder.text.pointee.beginElement()
        encoder.text.pointee.write(value)
    }

    mutating func encode(_ value: String) {
        encoder.text.pointee.beginElement()
        encoder.text.pointee.write(value)
    }

    mutating func encode(_ value: some JSONNumber) throws {
        encoder.text.pointee.beginElement()
        try encoder.write(number: value)
    }

    mutating func encode(_ value: some FixedWidthInteger & Encodable) {
        encoder.text.pointee.beginElement()
        encoder.text.pointee.write(integer: value)
    }

    mutating func encode(_ value: some Encodable) throws {
        encoder.text.pointee.beginElement()
        try encoder.write(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { nested() }
}

private struct SingleContainer: SingleValueEncodingContainer {
    let encoder: SortedJSONEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() { encoder.text.pointee.writeNull() }
    mutating func encode(_ value: Bool) { encoder.text.pointee.write(value) }
    mutating func encode(_ value: String) { encoder.text.pointee.write(value) }
    mutating func encode(_ value: some JSONNumber) throws { try encoder.write(number: value) }
    mutating func encode(_ value: some FixedWidthInteger & Encodable) {
        encoder.text.pointee.write(integer: value)
    }
    mutating func encode(_ value: some Encodable) throws { try encoder.write(value) }
}

/// A binary floating-point number whose description is its shortest decimal form.
private protocol JSONNumber: BinaryFloatingPoint, CustomStringConvertible, Encodable, Sendable {}
extension Double: JSONNumber {}
extension Float: JSONNumber {}

/// The coding key `super`, under which a class encodes its superclass.
enum SuperKey: String, CodingKey {
    case `super`
}
