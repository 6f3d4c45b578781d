// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import SourceParsing

@Suite struct WebLinkTests {
    /// The examples of RFC 3986, section 5.4, but for those with another scheme.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
        ("a b\u{e9}", "http://a/b/c/a%20b%C3%A9"), (" \n/x%20y\n ", "http://a/x%20y"),
    ])
    func referencesAreResolved(reference: String, absolute: String) {
        #expect(WebLink.join(reference, base: "http://a/b/c/d;p?q") == absolute)
    }

    @Test(arguments: ["http://", "http:///x", "http://:80/", "http:x", "ftp://a/", "javascript://a/", "//a/b", "x", ""])
    func whatHasNoHostIsNoPage(text: String) {
        #expect(!WebLink.isAbsolute(text))
        #expect(WebLink.resolve(text, base: "") == (text == "//a/b" ? "https://a/b" : nil))
    }
}
