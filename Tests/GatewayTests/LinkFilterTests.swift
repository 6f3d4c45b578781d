// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Gateway

@Suite struct LinkFilterTests {
    @Test(
        arguments: [
            ("https://example.org/", true), ("http://example.org/", true), ("shortcuts://run", true),
            ("SHORTCUTS://run", true), ("maps://x", false), ("javascript:alert(1)", false), ("data:text/html,x", false),
            ("file:///etc/passwd", false), ("//example.org", false), ("", false),
        ]
    )
    func onlyTheWebAndConfiguredSchemesAreAllowed(link: String, isAllowed: Bool) {
        #expect(LinkFilter(["Shortcuts"]).allows(link) == isAllowed)
    }

    @Test func aSchemeThatRunsCodeStaysRefusedIfItIsConfigured() {
        #expect(!LinkFilter(["javascript"]).allows("javascript:alert(1)"))
    }

    @Test func linksAreTakenFromEachDepthOfALayout() {
        let frame = Rectangle(x: 0, y: 0, width: 10, height: 10)
        let inner = LayoutView(kind: .label, frame: frame, action: .open(url: "maps://x"))
        let web = LayoutView(kind: .label, frame: frame, action: .open(url: "https://example.org/"))
        let row = LayoutView(kind: .row, frame: frame, action: .command(.refresh), views: [inner, web])
        var layout = Layout(size: Size(width: 10, height: 10), link: "maps://y", views: [row])
        LinkFilter().apply(to: &layout)
        #expect(layout.link == nil)
        #expect(layout.views.first?.action == .command(.refresh))
        #expect(layout.views.first?.views?.map(\.action) == [nil, .open(url: "https://example.org/")])
    }
}
