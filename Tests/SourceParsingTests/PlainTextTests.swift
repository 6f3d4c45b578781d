// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import SourceParsing

@Suite(.timeLimit(.minutes(3))) struct PlainTextTests {
    @Test(arguments: [
        ("", ""), ("a  b\n\tc ", "a b c"), ("<p>One</p><p>two</p>", "One two"), ("a<br>b", "a b"),
        ("<b>f</b>oo", "foo"), ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"), ("I <3 you", "I <3 you"),
        ("&lt;b&gt; &amp;amp; &nbsp;x&nbsp;", "<b> &amp; x"), ("&#8217;&#x2019;&#146;", "’’’"),
        ("&Lstrok;&oacute;d&zacute;, &Ccaron;apek&colon; &Acy;&num;1", "Łódź, Čapek: А#1"),
        ("&bogus; &#0; &#xFFFFFFFF; &#-5; & ;", "&bogus; &#xFFFFFFFF; &#-5; & ;"),
        ("a<script>if (1 < 2) { x = \"</p>\" }</script>b", "a b"), ("a<style>p {}</style >b", "a b"),
        ("a<!-- <p>no</p> -->b", "ab"), ("a<!-- never closed", "a<!-- never closed"),
        ("<a title=\"a > b\" href='x'>link</a>", "link"), ("<a href=\"x>link</a> end", "link end"),
        ("a <b", "a <b"), ("<![CDATA[inner]]>", "inner"), ("Grüße <i>🧭</i>", "Grüße 🧭"), ("\u{FEFF}x\u{0}y", "xy"),
    ])
    func htmlBecomesOneLineOfText(html: String, text: String) { #expect(PlainText.fromHTML(html) == text) }

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
