// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutGallery

/// The rules of reading report defects that were put into layouts.
@Suite struct ReadingRulesTests {
    private let renderer = SampleRenderer()

    private func phone() throws -> Gallery.Item {
        let device = try #require(DeviceProfile.named("iphone-375"))
        return try #require(Gallery.item(.feed, .today, .expanded, .large, device, .light))
    }

    private func panel() throws -> Gallery.Item {
        try #require(Gallery.panel(.feed, Gallery.Panel(width: 800, height: 480), .large))
    }

    /// Returns the problems of an item's layout after a change.
    private func problems(
        of item: Gallery.Item,
        _ change: (inout Layout) throws -> Void = { _ in }
    ) rethrows -> [String] {
        var layout = renderer.layout(of: item.sample)
        try change(&layout)
        return ReadingRules(item: item, layout: layout, renderer: renderer).problems
    }

    /// Changes the first row's title.
    private func changeTitle(of layout: inout Layout, _ change: (inout LayoutText) -> Void) throws {
        let row = try #require(layout.views.firstIndex { $0.kind == .row })
        let label = try #require(layout.views[row].views?.firstIndex { $0.text != nil })
        var text = try #require(layout.views[row].views?[label].text)
        change(&text)
        layout.views[row].views?[label].text = text
    }

    /// Replaces the lines of the first row's title.
    private func write(_ texts: [String], into layout: inout Layout) throws {
        try changeTitle(of: &layout) { title in
            let line = title.lines[0]
            title.lines = texts.map { text in
                var line = line
                line.text = text
                return line
            }
        }
    }

    @Test func aLayoutWithoutDefectsHasNoProblems() throws {
        #expect(try problems(of: phone()) == [])
        #expect(try problems(of: panel()) == [])
    }

    @Test func aBrokenWordIsReported() throws {
        let found = try problems(of: phone()) { try write(["Ferry timeta", "ble changes…"], into: &$0) }
        #expect(
            found.contains {
                $0.hasPrefix("a word of 'Ferry timetable")
                    && $0.hasSuffix("is broken: [\"Ferry timeta\", \"ble changes…\"]")
            }
        )
    }

    @Test func aCutLineIsReportedOnlyBesideFreeRoom() throws {
        let free = try problems(of: phone()) {
            try write(["Ferry timetable…"], into: &$0)
            $0.size.height *= 2
        }
        #expect(free.contains { $0.hasPrefix("'Ferry timetable…' is cut while") })
        let full = try problems(of: phone()) { try write(["Ferry timetable…"], into: &$0) }
        #expect(!full.contains { $0.contains("is cut while") })
    }

    @Test func anExpandedLayoutThatIsLowerThanItsCompactOneIsReported() throws {
        let found = try problems(of: phone()) { $0.size.height = 49 }
        #expect(found.contains("is 49.0 high expanded, and 110.0 compact"))
        let modes = try problems(of: phone()) { $0.largestMode = .compact }
        #expect(modes == ["its modes disagree on the largest one"])
    }

    @Test func aLineThatIsWiderInTheSVGThanInThePNGIsReported() throws {
        let found = try problems(of: phone()) { try changeTitle(of: &$0) { $0.lines[0].width += 2 } }
        #expect(found.count == 1)
        #expect(found.first?.contains(/^a line is at \[.*\] in its PNG and at \[.*\] in its SVG$/) == true)
    }

    @Test func aLineThatIsMissingInTheSVGIsReported() throws {
        let found = try problems(of: phone()) { try changeTitle(of: &$0) { $0.lines[0].width = 0 } }
        #expect(found.contains { $0.hasPrefix("has ") && $0.hasSuffix(" in its SVG") })
    }

    @Test func aPanelWithOneOfSevenRowsIsReported() throws {
        let found = try problems(of: panel()) { layout in
            let first = layout.views.first { $0.kind == .row }
            layout.views = [try #require(first)]
        }
        #expect(found.contains { $0.hasPrefix("1 of 7 rows cover") })
    }

    @Test func aDetailThatIsLargerThanItsTitleIsReported() throws {
        let item = try phone()
        var layout = renderer.layout(of: item.sample)
        #expect(GalleryRules.problems(of: item, layout) == [])
        let row = try #require(layout.views.firstIndex { $0.kind == .row })
        let detail = try #require(layout.views[row].views?.lastIndex { $0.text != nil })
        layout.views[row].views?[detail].text?.font.size = 16
        let found = GalleryRules.problems(of: item, layout)
        #expect(found.count == 1 && found[0].hasSuffix("has 16.0 points below a title of 15.0"), "\(found)")
    }
}
