// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import Configuration

@Suite struct YAMLParserTests {
    private func parse(_ text: String) throws -> YAMLParser.Document { try YAMLParser.parse(Array(text.utf8)) }

    @Test func everyValueKnowsItsPlace() throws {
        let document = try parse("a: 1\nb:\n  - x\n  - 'true'\nünï: {c: \"d\"}\n")
        func scalar(_ text: String, _ line: Int, _ column: Int, isPlain: Bool = true) -> YAMLNode {
            YAMLNode(content: .scalar(text, isPlain: isPlain), mark: YAMLMark(line: line, column: column))
        }
        func entry(_ key: String, _ line: Int, _ column: Int, _ value: YAMLNode) -> YAMLNode.Entry {
            YAMLNode.Entry(key: key, keyMark: YAMLMark(line: line, column: column), value: value)
        }

        func node(_ content: YAMLNode.Content, _ line: Int, _ column: Int) -> YAMLNode {
            YAMLNode(content: content, mark: YAMLMark(line: line, column: column))
        }
        let list = node(.sequence([scalar("x", 3, 5), scalar("true", 4, 5, isPlain: false)]), 3, 3)
        let inner = node(.mapping([entry("c", 5, 7, scalar("d", 5, 10, isPlain: false))]), 5, 6)
        let entries = [entry("a", 1, 1, scalar("1", 1, 4)), entry("b", 2, 1, list), entry("ünï", 5, 1, inner)]
        let expected = node(.mapping(entries), 1, 1)
        #expect(document.root == expected)
        #expect(document.duplicates.isEmpty)
    }

    @Test(arguments: ["", "\n\n", "# only a remark\n", "---\n...\n"])
    func anEmptyDocumentHasNothing(text: String) throws {
        #expect(try parse(text).root?.isNull ?? true)
    }

    @Test func duplicateKeysAreCollectedAndTheFirstValueHolds() throws {
        let document = try parse("a: 1\nb: {x: 1, x: 2}\na: 3\n")
        #expect(
            document.duplicates == [
                YAMLError(mark: YAMLMark(line: 2, column: 11), message: "'x' is given twice; the first is in line 2"),
                YAMLError(mark: YAMLMark(line: 3, column: 1), message: "'a' is given twice; the first is in line 1"),
            ]
        )
        guard case .mapping(let entries)? = document.root?.content else { throw YAMLTestFailure() }
        #expect(entries.map(\.key) == ["a", "b"])
    }

    @Test(arguments: [
        ("a: &x 1\n", 1, 4, "anchors (&name) are not supported; write the value again at each place"),
        ("a: *x\n", 1, 4, "aliases (*name) are not supported; write the value again"),
        ("a: !!str 1\n", 1, 4, "tags (!name) are not supported; remove the tag"),
        ("a: !x [1]\n", 1, 4, "tags (!name) are not supported; remove the tag"),
        ("<<: {a: 1}\n", 1, 1, "merge keys (<<) are not supported"),
        ("a: 1\n---\nb: 2\n", 2, 1, "the file contains a second YAML document; only one is allowed"),
        ("? [a]\n: 1\n", 1, 3, "a key must be a single value, not a list or a mapping"),
        ("a: b: c\n", 1, 5, "mapping values are not allowed in this context"),
        ("a: 1\n\tb: 2\n", 2, 1, "YAML does not allow a tab for indentation; use spaces"),
        ("a: [1, 2\nb: 3\n", 2, 2, "did not find expected ',' or ']' while parsing a flow sequence"),
        ("a: \"open\n", 2, 1, "found unexpected end of stream while scanning a quoted scalar"),
    ])
    func whatIsNotReadIsRefusedAtItsPlace(text: String, line: Int, column: Int, message: String) {
        #expect(throws: YAMLError(mark: YAMLMark(line: line, column: column), message: message)) { try parse(text) }
    }

    @Test func bytesThatAreNotUTF8AreAnErrorWithTheirPosition() {
        let error = #expect(throws: YAMLError.self) { try YAMLParser.parse(Array("a: b\nc: ".utf8) + [0xFF, 0xFE]) }
        #expect(error?.message.contains("8 bytes into the file") == true)
    }

    @Test func depthNodesAndSizeAreLimited() {
        let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        let mark = YAMLMark(line: 1, column: 17)
        let tooDeep = YAMLError(mark: mark, message: "the value is nested deeper than 16 levels")
        #expect(throws: tooDeep) { try parse(deep) }
        #expect(throws: Never.self) { try parse(String(deep.dropFirst().dropLast())) }
        let wide = "[" + String(repeating: "1,", count: YAMLParser.maximumNodes) + "1]"
        let error = #expect(throws: YAMLError.self) { try parse(wide) }
        #expect(error?.message == "the file has more than \(YAMLParser.maximumNodes) values")
        let long = "# " + String(repeating: "x", count: YAMLParser.maximumBytes)
        #expect(throws: YAMLError.self) { try parse(long) }
    }

    private struct YAMLTestFailure: Error {}
}
