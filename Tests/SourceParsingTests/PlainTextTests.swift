// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import SourceParsing

@Suite(.timeLimit(.minutes(3))) struct PlainTextTests {

    @Test(arguments: SampleText.all("html"))
    func htmlBecomesOneLineOfText(_ html: SampleText) { #expect(PlainText.fromHTML(html.text) == html.expected) }

    @Test(arguments: [
        "<", "&", "<a ", "<a \"", "<a \">", "<!--", "<script>", "</", "<![CDATA[", "&#", "<a>", "<script",
    ])
    func repetitionsTakeTimeInProportion(piece: String) {
        let long = String(repeating: piece, count: 30_000)
        _ = PlainText.fromHTML(long)
        _ = PlainText.fromHTML(long + ">")
    }

    @Test func oneCharacterOfManyScalarsIsCut() {
        let text = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(PlainText.fromHTML(text, limit: 300).unicodeScalars.count <= 4096)
        #expect(PlainText.collapse(text, limit: 300).unicodeScalars.count <= 4096)
    }
}
