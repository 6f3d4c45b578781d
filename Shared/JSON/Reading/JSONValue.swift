// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One value of a valid JSON document; the value is decoded on demand.
///
/// If several members have the same name, the last one counts.
package struct JSONValue {
    package enum Kind {
        case object
        case array
        case string
        case number
        case boolean
        case null
    }

    let document: JSONDocument
    /// The offset of the value's first byte in the document.
    package let start: Int

    private var bytes: [UInt8] { document.bytes }

    package var kind: Kind {
        switch bytes[start] {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    package var isNull: Bool { kind == .null }

    /// The kind of the value in words for an error message, such as `a string`.
    package var kindName: String {
        switch kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .boolean: "a boolean"
        case .null: "null"
        }
    }

    // MARK: Scalars

    /// The text of a string; nil for any other value.
    package var string: String? {
        guard kind == .string else { return nil }
        return JSONText.decode(bytes[(start + 1)..<(end - 1)])
    }

    /// The number as written in the document; nil for any other value.
    package var digits: String? {
        guard kind == .number else { return nil }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// The number as a `Double`; nil if the value is not a number, or if the number is too large for a `Double`.
    package var number: Double? {
        guard let number = digits.flatMap(Double.init), number.isFinite else { return nil }
        return number
    }

    /// The value of a boolean; nil for any other value.
    package var flag: Bool? {
        kind == .boolean ? bytes[start] == UInt8(ascii: "t") : nil
    }

    /// The text of a string or a number, or `true` or `false`; nil for containers and null.
    package var scalarText: String? {
        switch kind {
        case .string: string
        case .number, .boolean: String(decoding: bytes[start..<end], as: UTF8.self)
        case .object, .array, .null: nil
        }
    }

    // MARK: Containers

    /// Calls `body` with each member of an object, in the document's order, until `body` returns false.
    package func forEachMember<Failure: Error>(_ body: (String, JSONValue) throws(Failure) -> Bool) throws(Failure) {
        try forEachPlacedMember { member throws(Failure) in try body(member.name, member.value) }
    }

    /// A member of an object, with the offset of its name.
    package struct PlacedMember {
        package let name: String
        package let nameStart: Int
        package let value: JSONValue
    }

    /// Calls `body` with each member of an object and the offset of the member's name, until `body` returns false.
    package func forEachPlacedMember<Failure: Error>(
        _ body: (PlacedMember) throws(Failure) -> Bool
    ) throws(Failure) {
        guard kind == .object else { return }
        var position = skipSpace(start + 1)
        while bytes[position] != UInt8(ascii: "}") {
            let nameEnd = JSONLexer.endOfString(bytes, from: position)
            let name = JSONText.decode(bytes[(position + 1)..<(nameEnd - 1)])
            let value = JSONValue(document: document, start: skipSpace(skipSpace(nameEnd) + 1))
            document.budget?.add(value.start - position)
            guard document.budget?.isExhausted != true,
                try body(PlacedMember(name: name, nameStart: position, value: value))
            else { return }
            position = value.nextStart
        }
    }

    /// Calls `body` with the index and the value of each element of an array, until `body` returns false.
    package func forEachElement<Failure: Error>(_ body: (Int, JSONValue) throws(Failure) -> Bool) throws(Failure) {
        guard kind == .array else { return }
        var position = skipSpace(start + 1)
        var index = 0
        while bytes[position] != UInt8(ascii: "]") {
            let value = JSONValue(document: document, start: position)
            guard document.budget?.isExhausted != true, try body(index, value) else { return }
            index += 1
            position = value.nextStart
        }
    }

    /// Returns the members with these names, found in one pass.
    ///
    /// The keys of the result are the names. A name that is absent or whose value is null has no entry.
    package func members(_ names: String...) -> [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        forEachMember { name, value in
            if names.contains(name) { found[name] = value.isNull ? nil : value }
            return true
        }
        return found
    }

    /// The value of the member with this name; nil if there is no such member, or if its value is null.
    package subscript(name: String) -> JSONValue? { members(name)[name] }

    /// Returns the value at each of the paths, in the order of `paths`; nil for a path without a value.
    ///
    /// All values are found in one pass. A path is relative to this value. It consists of names of object members and
    /// indices of array elements, outermost first. A JSON null is returned as a `JSONValue`, not as nil.
    package func values(at paths: [[String]]) -> [JSONValue?] {
        var found = [JSONValue?](repeating: nil, count: paths.count)
        collect(paths.indices.map { ($0, paths[$0][...]) }, into: &found)
        return found
    }

    private func collect(_ wanted: [(place: Int, rest: ArraySlice<String>)], into found: inout [JSONValue?]) {
        var deeper: [String: [(place: Int, rest: ArraySlice<String>)]] = [:]
        for (place, rest) in wanted {
            if let name = rest.first {
                deeper[name, default: []].append((place, rest.dropFirst()))
            } else {
                found[place] = self
            }
        }
        guard !deeper.isEmpty else { return }
        forEachMember { name, value in
            guard let wanted = deeper[name] else { return true }
            // If a name is repeated, the last member counts, so the values found in an earlier one are removed.
            for (place, _) in wanted { found[place] = nil }
            value.collect(wanted, into: &found)
            return true
        }
        guard kind == .array else { return }
        var left = deeper.count
        forEachElement { index, value in
            guard let wanted = deeper[String(index)] else { return true }
            value.collect(wanted, into: &found)
            left -= 1
            return left > 0
        }
    }

    /// Returns the path from this value to `other`, which must be part of this value.
    ///
    /// The path has the same form as the paths of `values(at:)`.
    package func path(to other: JSONValue) -> [String] {
        var tokens: [String] = []
        var outer = self
        while outer.start < other.start {
            var next: (token: String, value: JSONValue)?
            outer.forEachMember { name, value in
                if value.start <= other.start { next = (name, value) }
                return value.start < other.start
            }
            outer.forEachElement { index, value in
                if value.start <= other.start { next = (String(index), value) }
                return value.start < other.start
            }
            guard let next else { break }
            tokens.append(next.token)
            outer = next.value
        }
        return tokens
    }

    // MARK: Traversal

    /// The offset of the next member or element of the object or array that contains this value.
    ///
    /// A member begins with its name. If there is no next member or element, the offset is that of the closing bracket.
    /// Must not be called on the root value of the document.
    private var nextStart: Int {
        let position = skipSpace(end)
        document.budget?.add(position - start)
        return bytes[position] == UInt8(ascii: ",") ? skipSpace(position + 1) : position
    }

    /// The offset of the first byte after the value.
    private var end: Int {
        let bytes = bytes
        var position = start
        switch kind {
        case .string: return JSONLexer.endOfString(bytes, from: start)
        case .object, .array:
            var depth = 0
            repeat {
                switch bytes[position] {
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: "\""):
                    position = JSONLexer.endOfString(bytes, from: position)
                    continue
                default: break
                }
                position += 1
            } while depth > 0
            return position
        case .number, .boolean, .null: return JSONLexer.endOfScalar(bytes, from: start)
        }
    }

    private func skipSpace(_ start: Int) -> Int { JSONLexer.endOfSpace(bytes, from: start) }
}
