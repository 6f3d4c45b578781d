// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import Testing

@testable import CommandLineTool

@Suite struct TextColumnsTests {
    private let columns = TextColumns([(5, .left), (4, .right), (6, .left)], style: .plain)

    @Test func cellsStandInTheirColumns() {
        #expect(columns.line([.init("ab"), .init("7"), .init("xyz")]) == "ab        7  xyz")
        #expect(columns.line([.init("abcde"), .init("1234"), .init("")]) == "abcde  1234")
        #expect(columns.line([.init(""), .init(""), .init("x")]) == "             x")
    }

    @Test func noLineEndsWithSpaces() {
        #expect(columns.line([.init("ab"), .init(""), .init("")]) == "ab")
        #expect(columns.line([.init(""), .init(""), .init("")]).isEmpty)
    }

    @Test func longTextsEndWithAnEllipsis() {
        #expect(columns.line([.init("abcdefgh"), .init("1"), .init("")]) == "abcd…     1")
        #expect(TextColumns.shorten("abc", to: 0) == "…")
    }

    @Test func coloursDoNotMoveColumns() {
        let colored = TextColumns([(5, .left), (4, .right)], style: .colored)
        #expect(
            colored.line([.init("ab", .good), .init("7", .bad)]) == "\u{1B}[32mab\u{1B}[0m        \u{1B}[31m7\u{1B}[0m"
        )
    }
}
