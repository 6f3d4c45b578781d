// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import JSON
import Testing

/// Tests of the reader: valid documents, and the places of their values.
@Suite struct JSONDocumentTests {
    private func root(_ text: String) throws -> JSONValue { try JSONDocument(Array(text.utf8)).root }

    /// Converts a value to what Foundation's reader returns for it.
    private func tree(_ value: JSONValue) -> Any {
        switch value.kind {
        case .object:
            var object: [String: Any] = [:]
            value.forEachMember { name, value in
                object[name] = tree(value)
                return true
            }
            return object
        case .array:
            var array: [Any] = []
            value.forEachElement { _, value in
                array.append(tree(value))
                return true
            }
            return array
        case .string: return value.string ?? "?"
        case .number: return value.number.map { NSNumber(value: $0) } ?? "?"
        case .boolean: return NSNumber(value: value.flag == true)
        case .null: return NSNull()
        }
    }

    @Test(arguments: [
        #"{"a":[1,2.5,-3e2,true,false,null,"x"],"b":{"c":{}},"d":[]}"#, #" [ "\u00fc \ud83d\ude00 \"\\/\b\f\n\r\t" ] "#,
        "3", #""größe""#, "[[[[[]]]], {\"\": 0}]",
    ])
    func aDocumentIsReadAsFoundationReadsIt(_ text: String) throws {
        let expected = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        let found = tree(try root(text))
        #expect((found as? NSObject) == (expected as? NSObject), "\(found) is not \(expected)")
    }

    @Test(arguments: [
        "", " ", "[1", "{\"a\" 1}", "{a:1}", "[01]", "[1.]", "[.5]", "[+1]", "[1e]", "[nan]", "\"a", "\"\\x\"",
        "\"\\u12g4\"", "[] x", "[\"a\nb\"]", "]", "{]", "'a'", "[1 2]", "tru",
    ])
    func aTextThatFoundationRejectsIsRejected(_ text: String) {
        #expect(throws: (any Error).self) {
            try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        }
        #expect(throws: JSONSyntaxError.self) { try root(text) }
    }

    @Test(arguments: ["[1,]", "{\"a\":1,}"])
    func aCommaBeforeABracketIsRejectedThoughFoundationAcceptsIt(_ text: String) throws {
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(throws: JSONSyntaxError.self) { try root(text) }
    }

    @Test func theLastOfSeveralMembersWithOneNameCountsAndNullIsAbsent() throws {
        let value = try root(#"{"a":1,"a":2,"b":3,"b":null}"#)
        #expect(value["a"]?.number == 2)
        #expect(value["b"] == nil)
        var starts: [Int] = []
        value.forEachPlacedMember { member in
            starts.append(member.nameStart)
            return true
        }
        #expect(starts == [1, 7, 13, 19])
    }

    @Test func valuesAreFoundByPathsAndPathsByValues() throws {
        let value = try root(#"{"a":{"x":[10,{"y":"z"}]},"n":null}"#)
        let paths = [["a", "x", "1", "y"], ["a", "x", "0"], ["n"], ["a", "x", "7"], []]
        let found = value.values(at: paths)
        #expect(found.map { $0?.scalarText } == ["z", "10", nil, nil, nil])
        #expect(found[2]?.isNull == true && found[4]?.kind == .object)
        for (path, value) in zip(paths, found) {
            if let value { #expect(try root(#"{"a":{"x":[10,{"y":"z"}]},"n":null}"#).path(to: value) == path) }
        }
    }

    @Test func placesCountLinesAndCharacters() throws {
        let text = "{\n  \"größe\": \"🧭\", \"b\": x\n}"
        let error = #expect(throws: JSONSyntaxError.self) { try root(text) }
        let bytes = Array(text.utf8)
        #expect(error.map { JSONPlace.of($0.offset, in: bytes).description } == "2:22")
        let all = JSONPlace.all(of: [bytes.count, 0, 1, 2, 1], in: bytes)
        #expect(all.mapValues(\.description) == [0: "1:1", 1: "1:2", 2: "2:1", bytes.count: "3:2"])
    }

    @Test func depthIsLimitedWithAnErrorOfItsOwn() throws {
        let limit = 512
        _ = try root(String(repeating: "[", count: limit) + String(repeating: "]", count: limit))
        let error = #expect(throws: JSONSyntaxError.self) { try root(String(repeating: "[", count: 100_000)) }
        #expect(error?.kind == .tooDeep && error?.offset == limit)
    }

    /// A budget for a number of steps.
    // Safe: used by one thread.
    private final class Budget: JSONReadingBudget, @unchecked Sendable {
        private(set) var steps = 0
        private let limit: Int
        var isExhausted: Bool { steps > limit }

        init(limit: Int = .max) { self.limit = limit }

        func add(_ steps: Int) { self.steps += steps }
    }

    @Test func anExhaustedBudgetEndsTheCheckAndTheScan() {
        let bytes = Array(("[" + String(repeating: "0,", count: 100_000) + "0]").utf8)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(bytes, budget: Budget(limit: 5_000)) }
        #expect(error?.kind == .budgetExhausted)
        var scanner = JSONScanner(bytes, budget: Budget(limit: 5_000))
        var count = 0
        let isWhole = scanner.readArray { scanner in
            scanner.skipValue()
            count += 1
            return true
        }
        #expect(!isWhole && count > 500 && count < 5_000)
    }

    @Test func everyByteIsAStep() throws {
        let bytes = Array(("[" + String(repeating: "\"word\",", count: 10_000) + "0]").utf8)
        let check = Budget()
        _ = try JSONDocument(bytes, budget: check)
        #expect((bytes.count / 2...bytes.count * 2).contains(check.steps))
        let scan = Budget()
        var scanner = JSONScanner(bytes, budget: scan)
        scanner.skipValue()
        #expect((bytes.count / 2...bytes.count * 2).contains(scan.steps))
    }
}
