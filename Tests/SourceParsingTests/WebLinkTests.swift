// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import SourceParsing

@Suite struct WebLinkTests {

    /// The examples of RFC 3986, section 5.4, but for those with another scheme.
    @Test(arguments: SampleText.all("references"))
    func referencesAreResolved(_ reference: SampleText) {
        #expect(WebLink.join(reference.text, base: "http://a/b/c/d;p?q") == reference.expected)
    }

    @Test(arguments: ["http://", "http:///x", "http://:80/", "http:x", "ftp://a/", "javascript://a/", "//a/b", "x", ""])
    func whatHasNoHostIsNoPage(text: String) {
        #expect(!WebLink.isAbsolute(text))
        #expect(WebLink.resolve(text, base: "") == (text == "//a/b" ? "https://a/b" : nil))
    }
}
