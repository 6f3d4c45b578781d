// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// A decoder for JSON, the counterpart of `SortedJSONEncoder`.
///
/// It decodes what Foundation's `JSONDecoder` decodes, with four differences: the document must be in UTF-8 without a
/// byte order mark, the last of several members with the same name counts, an unpaired surrogate becomes U+FFFD, and an
/// error about a number that is out of range names its place. Tests compare the two. `JSONDecoder` makes a dictionary of
/// each object; this decoder only of objects with many members.
package struct JSONTapeDecoder: Decoder {
    let tape: JSONTape
    /// The index of the value's entry.
    let index: Int

    /// Returns a value that is decoded from JSON.
    ///
    /// Throws `JSONSyntaxError` if the bytes are not exactly one JSON value. Throws `DecodingError` if the value does not
    /// have the form that `type` requires. With a `memory`, each `Repeated` value is decoded only once.
    package static func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        memory: (any JSONMemory)? = nil
    ) throws -> Value {
        try JSONTapeDecoder(tape: JSONTape(Array(data), memory: memory), index: 0).decode(type)
    }

    /// The path of the value; found only when it is read, because only errors need it.
    package var codingPath: [any CodingKey] { tape.path(to: index) }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    @inline(__always)
    func at(_ index: Int) -> JSONTapeDecoder { JSONTapeDecoder(tape: tape, index: index) }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try check(.object, [String: Any].self)
        return KeyedDecodingContainer(JSONKeyedContainer<Key>(decoder: self))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try check(.array, [Any].self)
        return JSONUnkeyedContainer(decoder: self)
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // MARK: Values

    var isNull: Bool { tape[index].kind == .null }

    private func check(_ kind: JSONTape.Kind, _ type: Any.Type) throws {
        guard tape[index].kind != kind else { return }
        if isNull { throw DecodingError.valueNotFound(type, context("the value is null")) }
        throw DecodingError.typeMismatch(type, context("the value has another type"))
    }

    func context(_ problem: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: problem)
    }

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Types that `SortedJSONEncoder` encodes differently from their own `encode(to:)`.
        if Value.self == Data.self {
            guard let data = Data(base64Encoded: try decode(String.self)) as? Value else {
                throw DecodingError.dataCorrupted(context("the text is not valid base64"))
            }
            return data
        }
        if Value.self == URL.self {
            guard let url = URL(string: try decode(String.self)) as? Value else {
                throw DecodingError.dataCorrupted(context("the text is not a valid URL"))
            }
            return url
        }
        return try Value(from: self)
    }

    package func decode(_ type: String.Type) throws -> String {
        try check(.string, type)
        guard let text = tape.text(at: index) else {
            throw DecodingError.dataCorrupted(context("the text is not valid UTF-8"))
        }
        return text
    }

    package func decode(_ type: Bool.Type) throws -> Bool {
        try check(.boolean, type)
        return tape.flag(at: index)
    }

    package func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try check(.number, type)
        if let value = tape.integer(at: index).flatMap(Number.init(exactly:)) { return value }
        // The number is out of range, or it has a fraction or an exponent, as in `1.0`.
        let digits = tape.digits(at: index)
        if let value = Number(digits) ?? Double(digits).flatMap(Number.init(exactly:)) { return value }
        throw DecodingError.dataCorrupted(context(Self.outOfRange))
    }

    package func decode<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type
    ) throws -> Number {
        try check(.number, type)
        guard let value = Number(tape.digits(at: index)), value.isFinite else {
            throw DecodingError.dataCorrupted(context(Self.outOfRange))
        }
        return value
    }

    private static let outOfRange = "the number is out of range"
}

extension JSONTapeDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { isNull }
}
