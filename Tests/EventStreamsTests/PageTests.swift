// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@Suite struct PageTests {
    private func load(_ widget: WidgetID) -> [(record: String, bytes: Int)] {
        (1...3).map { ("\(widget)\($0)", 10) }
    }

    @Test func aPageIsInTheOrderOfIDsAndEndsAtItsLimit() throws {
        let widgets = try ["c", "a", "b"].map { try widget($0) }
        let page = Page(of: widgets, limit: 44, load: load)
        #expect(page.records == ["a1", "a2", "a3", "b1"])
        #expect(page.bytes == 44)
        #expect(page.more)
    }

    @Test func aPageThatHoldsAllSaysSo() throws {
        let page = Page(of: [try widget("a")], limit: 33, load: load)
        #expect(page.records == ["a1", "a2", "a3"])
        #expect(!page.more)
        #expect(!Page(of: [WidgetID](), load: load).more)
    }

    @Test func aRecordLargerThanAPageGoesAlone() throws {
        let page = Page(of: [try widget("a")], limit: 5, load: load)
        #expect(page.records == ["a1"])
        #expect(page.more)
    }

    @Test func noWidgetIsLoadedBehindAFullPage() throws {
        var loaded: [WidgetID] = []
        let widgets = try ["a", "b", "c"].map { try widget($0) }
        _ = Page(of: widgets, limit: 40) { widget in
            loaded.append(widget)
            return load(widget)
        }
        #expect(loaded == Array(widgets.prefix(2)))
    }

    @Test func aFullPageTakesNothingMore() {
        var page = Page<String>(limit: 20)
        let taken = [("a", 9), ("b", 30), ("c", 1)].map { page.add($0, bytes: $1) }
        #expect(taken == [true, false, false], "what comes behind a record that does not fit would leave a gap")
        #expect(page.records == ["a"])
        #expect(page.more)
    }
}
