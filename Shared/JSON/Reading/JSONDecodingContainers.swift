// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The members of an object, for `JSONTapeDecoder`.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The maximum number of members of an object that are compared with a key one by one.
    ///
    /// Larger objects, usually dictionaries of data, get a table.
    private static var fewMembers: Int { 16 }

    private let decoder: JSONTapeDecoder
    /// The index of the value of each member by its name; nil for an object with few members.
    private let table: [String: Int]?

    init(decoder: JSONTapeDecoder) {
        self.decoder = decoder
        guard decoder.tape[decoder.index].count > Self.fewMembers else {
            table = nil
            return
        }
        var table: [String: Int] = [:]
        table.reserveCapacity(decoder.tape[decoder.index].count)
        Self.forEachMember(of: decoder) { name in
            if let text = decoder.tape.text(at: name) { table[text] = name + 1 }
        }
        self.table = table
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// Calls `body` with the index of the name of each member; the value has the next index.
    @inline(__always)
    private static func forEachMember(of decoder: JSONTapeDecoder, _ body: (Int) -> Void) {
        let tape = decoder.tape
        var name = decoder.index + 1
        let end = tape[decoder.index].next
        while name < end {
            body(name)
            name = tape[name + 1].next
        }
    }

    var allKeys: [Key] {
        var names: [String] = []
        Self.forEachMember(of: decoder) { name in
            guard let text = decoder.tape.text(at: name) else { return }
            // The last of several equal names counts.
            if table.map({ $0[text] == name + 1 }) ?? !names.contains(text) { names.append(text) }
        }
        return names.compactMap(Key.init(stringValue:))
    }

    /// Returns the index of the value of a member; nil if there is no such member.
    private func find(_ key: some CodingKey) -> Int? {
        var name = key.stringValue
        if let table { return table[name] }
        var found: Int?
        name.withUTF8 { bytes in
            // Continues after a match, because the last of several equal names counts.
            Self.forEachMember(of: decoder) { index in
                if decoder.tape.isName(index, bytes) { found = index + 1 }
            }
        }
        return found
    }

    private func value(_ key: some CodingKey) throws -> JSONTapeDecoder {
        guard let index = find(key) else {
            throw DecodingError.keyNotFound(key, decoder.context("the member is missing"))
        }
        return decoder.at(index)
    }

    /// Returns the value of a member; nil if there is no such member, or if its value is null.
    private func optionalValue(_ key: Key) -> JSONTapeDecoder? {
        guard let value = find(key).map(decoder.at), !value.isNull else { return nil }
        return value
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
        try value(key).decode(type)
    }

    func decode<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type,
        forKey key: Key
    ) throws -> Number {
        try value(key).decode(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(key).decode(type) }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try optionalValue(key)?.decode(type)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optionalValue(key)?.decode(type) }

    func decodeIfPresent<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type,
        forKey key: Key
    ) throws -> Number? {
        try optionalValue(key)?.decode(type)
    }

    func decodeIfPresent<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type,
        forKey key: Key
    ) throws -> Number? {
        try optionalValue(key)?.decode(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try optionalValue(key)?.decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try value(SuperKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}

/// The elements of an array, for `JSONTapeDecoder`.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    private let decoder: JSONTapeDecoder
    private(set) var currentIndex = 0
    /// The index of the entry of the next element.
    private var next: Int

    init(decoder: JSONTapeDecoder) {
        self.decoder = decoder
        next = decoder.index + 1
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { decoder.tape[decoder.index].count }
    var isAtEnd: Bool { next >= decoder.tape[decoder.index].next }

    /// Returns the result of `body` for the next element, and moves to the element after it unless `body` throws.
    private mutating func take<Result>(
        _ type: Any.Type,
        _ body: (JSONTapeDecoder) throws -> Result
    ) throws -> Result {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(type, decoder.context("the array has no more elements"))
        }
        let result = try body(decoder.at(next))
        next = decoder.tape[next].next
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(Any?.self, decoder.context("the array has no more elements"))
        }
        guard decoder.at(next).isNull else { return false }
        return try take(Any?.self) { _ in true }
    }

    mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.decode(type) } }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.decode(type) } }

    mutating func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try take(type) { try $0.decode(type) }
    }

    mutating func decode<Number: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Number.Type
    ) throws -> Number {
        try take(type) { try $0.decode(type) }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try take(type) { try $0.decode(type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try take([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take((any Decoder).self) { $0 } }
}
