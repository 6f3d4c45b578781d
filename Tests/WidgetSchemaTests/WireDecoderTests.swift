// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import JSON
import Testing
import WidgetSchema

/// Tests of the wire's own decoder: it reads what Foundation's reads, and names the same places in its errors.
@Suite struct WireDecoderTests {
    private func expectTheSame<Value: Decodable & Equatable>(
        _ type: Value.Type,
        _ json: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let expected = try JSONDecoder().decode(type, from: Data(json.utf8))
        #expect(try WireJSON.decode(type, from: Data(json.utf8)) == expected, sourceLocation: location)
    }

    @Test func everyKindOfValueIsReadTheSame() throws {
        try expectTheSame([String].self, #"["", "größe", "a\"\\\/\b\f\n\r\t", "\u00fc\ud83d\ude00", "e\u0301"]"#)
        try expectTheSame([Int64].self, "[0, -0, 7, -9223372036854775808, 9223372036854775807, 1.0, 12e2]")
        try expectTheSame([UInt64].self, "[18446744073709551615, 0]")
        try expectTheSame([UInt8].self, "[255]")
        try expectTheSame([Double].self, "[0, -0.0, 1.5, 1e20, 123456789012345678, -2.5E-7, 5e-324]")
        try expectTheSame([Float].self, "[0.1, 16777217]")
        try expectTheSame([Bool?].self, " [ true , false , null ] ")
        try expectTheSame(String.self, #""alone""#)
        try expectTheSame([String: [String: Int?]].self, #"{"b": {"x": 1, "y": null}, "a\n": {}, "": {"ü": 2}}"#)
        try expectTheSame([[[Int]]].self, "[[], [[1], []]]")
        try expectTheSame([Data].self, #"["Ynl0ZXM=", ""]"#)
        try expectTheSame([URL?].self, #"["https://example.org/a?b=c", null]"#)
    }

    @Test func objectsOfEverySizeAreReadTheSame() throws {
        for count in [0, 1, 15, 16, 17, 100] {
            let members = (0..<count).map { #""key-\#($0)": \#($0)"# }
            try expectTheSame([String: Int].self, "{\(members.joined(separator: ", "))}")
        }
    }

    @Test(arguments: [2, 30]) func theLastOfSeveralMembersWithOneNameCounts(count: Int) throws {
        let members = (0..<count).map { #""key-\#($0)": 0"# } + [#""key-1": 5"#]
        let object = try WireJSON.decode([String: Int].self, from: Data("{\(members.joined(separator: ","))}".utf8))
        #expect(object.count == count)
        #expect(object["key-1"] == 5)
    }

    private struct Row: Codable, Hashable {
        var name: String
        var size: Int?
        var isShown: Bool?
        var rows: [Row]?
        var share: Double?
    }

    @Test(arguments: [
        #"{"name": "a"}"#, #"{"rows": [{"name": "b", "size": null}], "name": "a", "more": {"rows": [1, {}]}}"#,
        #"{"n\u0061me": "a", "size": 3, "isShown": true, "share": 0.5}"#,
    ])
    func membersAreFoundInAnyOrder(_ json: String) throws { try expectTheSame(Row.self, json) }

    @Test(arguments: [
        #"{"size": 1}"#, #"{"name": null}"#, #"{"name": 1}"#, #"{"name": "a", "size": "1"}"#,
        #"{"name": "a", "isShown": 1}"#, #"{"name": "a", "rows": {}}"#, #"{"name": "a", "rows": [3]}"#,
        #"{"name": "a", "rows": [{"name": "b"}, {"name": "c", "rows": [{"name": []}]}]}"#,
        #"{"name": "a", "rows": [null]}"#, "[]", "null", #"{"name": "a", "share": true}"#,
    ])
    func errorsNameTheSamePlace(_ json: String) throws {
        let expected = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Row.self, from: Data(json.utf8)) }
        let error = #expect(throws: DecodingError.self) { try JSONTapeDecoder.decode(Row.self, from: Data(json.utf8)) }
        #expect(Self.place(error) == Self.place(expected))
    }

    @Test(arguments: ["1.5", "9223372036854775808", "1e300"])
    func anErrorAboutANumberOutOfRangeNamesItsPlace(_ number: String) {
        let json = Data(#"{"name": "a", "rows": [{"name": "b", "size": \#(number)}]}"#.utf8)
        let error = #expect(throws: WireError.self) { try WireJSON.decode(Row.self, from: json) }
        #expect(error == .malformed(path: "rows.0.size", problem: "the number is out of range"))
    }

    /// Returns the path of the invalid value; nil for other errors.
    private static func place(_ error: DecodingError?) -> [String]? {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        case .keyNotFound(let key, let context): context.codingPath.map(\.stringValue) + [key.stringValue]
        default: nil
        }
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\":1,}", "nul", "[01]", "\"a", "[1] 2", "[\"\u{1}\"]", "['a']", "[1.]", "\u{FEFF}[]",
    ])
    func invalidJSONIsRejected(_ text: String) {
        let error = #expect(throws: WireError.self) { try WireJSON.decode([Int].self, from: Data(text.utf8)) }
        #expect(error == .malformed(path: "", problem: "the message is not valid JSON"))
    }

    @Test(arguments: ["", #"\n"#]) func invalidUTF8IsRejected(before: String) {
        let json = Data((#"{"name": ""# + before).utf8) + [0xC3, 0x28] + Data(#""}"#.utf8)
        let error = #expect(throws: WireError.self) { try WireJSON.decode(Row.self, from: json) }
        #expect(error == .malformed(path: "name", problem: "the text is not valid UTF-8"))
    }

    @Test func arraysMayBeNestedUpToTheMaximumDepth() throws {
        indirect enum Nest: Decodable {
            case inner([Nest])

            init(from decoder: any Decoder) throws { self = .inner(try [Nest](from: decoder)) }
        }
        func nested(_ depth: Int) -> Data {
            Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try WireJSON.decode(Nest.self, from: nested(512))
        #expect(throws: WireError.self) { try WireJSON.decode(Nest.self, from: nested(513)) }
    }

    /// Reads with every method of the containers.
    private struct Walk: Decodable, Equatable {
        var words: [String]

        private enum Keys: String, CodingKey {
            case list
            case inner
            case `super`
            case absent
        }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Keys.self)
            var list = try object.nestedUnkeyedContainer(forKey: .list)
            words = object.allKeys.map(\.rawValue).sorted() + ["\(object.contains(.absent)) \(list.count ?? -1)"]
            words.append(try list.decode(String.self))
            words.append("\(try list.decodeNil()) \(try list.decodeNil()) \(list.currentIndex)")
            words.append("\(try list.nestedContainer(keyedBy: Keys.self).decode(Int.self, forKey: .inner))")
            var elements = try list.nestedUnkeyedContainer()
            words.append("\(try elements.decode(Bool.self)) \(elements.isAtEnd)")
            words.append(try String(from: list.superDecoder()))
            words.append("\(list.isAtEnd) \(try object.decodeNil(forKey: .inner))")
            words.append("\(try object.superDecoder().singleValueContainer().decode(Int8.self))")
            words.append("\(try object.superDecoder(forKey: .inner).singleValueContainer().decodeNil())")
        }
    }

    @Test func everyMethodOfTheContainersReadsTheSame() throws {
        try expectTheSame(
            Walk.self,
            #"{"list": ["a", null, {"inner": 4}, [true], "b"], "inner": null, "super": -3, "other": 1}"#
        )
    }

    // MARK: Repeated values

    private final class Memory: JSONMemory {
        var values: [JSONMemoryKey: Any] = [:]
        var hits = 0

        func value(for key: JSONMemoryKey) -> Any? {
            if values[key] != nil { hits += 1 }
            return values[key]
        }

        func remember(_ value: Any, for key: JSONMemoryKey) { values[key] = value }
    }

    private struct Parts: Decodable {
        @Repeated var rows: [Row]
        @Repeated var size: Int
        @Repeated var sizes: [Int]
    }

    @Test func aRepeatedValueIsDecodedOnceAndAnotherOneAnew() throws {
        let memory = Memory()
        func decode(_ rows: String, _ size: String) throws -> Parts {
            let json = #"{"rows":[\#(rows)],"size":\#(size),"sizes":[\#(size)]}"#
            return try JSONTapeDecoder.decode(Parts.self, from: Data(json.utf8), memory: memory)
        }
        let first = try decode(#"{"name":"a"}"#, "1")
        #expect(memory.hits == 0 && memory.values.count == 3)
        let second = try decode(#"{"name":"a"}"#, "1")
        #expect(memory.hits == 3 && memory.values.count == 3)
        #expect(second.rows == first.rows && second.size == 1 && second.sizes == [1])
        let third = try decode(#"{"name":"a"},{"name":"b"}"#, "10")
        #expect(memory.hits == 3)
        #expect(third.rows.map(\.name) == ["a", "b"] && third.size == 10 && third.sizes == [10])
        // An invalid value is an error each time.
        for _ in 0..<2 {
            let error = #expect(throws: DecodingError.self) { try decode(#"{"name":1}"#, "1") }
            #expect(Self.place(error) == ["rows", "0", "name"])
        }
    }

    @Test func eventsDecodedWithAMemoryAreEqualToThoseDecodedWithout() throws {
        let memory = Memory()
        for event in [Samples.refreshed, Samples.refreshedFailed, Samples.refreshed] {
            let json = try WireJSON.encode(event)
            #expect(try WireJSON.decode(Event<Refreshed>.self, from: json, memory: memory) == event)
            #expect(try JSONDecoder().decode(Event<Refreshed>.self, from: json) == event)
        }
        #expect(memory.hits == 2)
    }

    /// Objects with many members have a table of names.
    @Test(arguments: [4, 40]) func theFirstOfSeveralInvalidMembersIsNamed(count: Int) {
        let members = (0..<count).map { #""w\#($0)": \#($0)"# }.joined(separator: ", ")
        #expect(throws: WireError.malformed(path: "w0", problem: "the value must be a string")) {
            try WireJSON.decode([String: String].self, from: Data("{\(members)}".utf8))
        }
    }
}
