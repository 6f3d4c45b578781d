// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct DocumentsLayoutTests {
    private func draw(_ count: Int, on display: Display) throws -> Layout {
        try Sample.draw(Sample.documents(count), on: display) { $0.definition.actions = Sample.actions }
    }

    private func buttons(_ layout: Layout) -> [LayoutView] { layout.all.filter { $0.kind == .button } }

    @Test func compactIsARowOfActionsEachAThirdOfTheWidth() throws {
        let layout = try draw(9, on: try Sample.today(.compact) { $0.width = 360 })
        #expect(layout.size.height == 110)
        #expect(layout.rows.isEmpty)
        let frames = (0..<3).map { Rectangle(x: Double($0) * 120, y: 0, width: 120, height: 110) }
        #expect(buttons(layout).map(\.frame) == frames)
        #expect(buttons(layout).map(\.lines) == [["New"], ["Open"], ["Help"]])
        #expect(buttons(layout).map(\.action) == Sample.actions.map { LayoutAction.open(url: $0.url) })
        let first = try #require(buttons(layout).first?.views)
        #expect(first.map(\.kind) == [.image, .label])
        #expect(first[0].frame.y + first[0].frame.height <= first[1].frame.y)
    }

    @Test(arguments: [1, 2, 3, 4, 5]) func actionsShareTheWidthToThePixel(count: Int) throws {
        let layout = try Sample.draw(Sample.documents(1), on: try Sample.today(.compact)) {
            $0.definition.actions = Sample.actions((0..<count).map { "A\($0)" })
        }
        let frames = buttons(layout).map(\.frame)
        #expect(frames.first?.x == 0)
        #expect(frames.last.map { $0.x + $0.width } == 359)
        for (left, right) in zip(frames, frames.dropFirst()) { #expect(left.x + left.width == right.x) }
        for frame in frames { #expect(abs(frame.width - 359 / Double(count)) <= 0.5) }
    }

    @Test func expandedHasAtMostFourDocumentsThatBeginAtTheCompactHeight() throws {
        let layout = try draw(9, on: try Sample.today(.expanded))
        #expect(layout.rows.count == 4)
        #expect(layout.rows.first?.frame.y == 110)
        #expect(layout.size.height == 110 + 4 * 48)
        #expect(Set(buttons(layout).map(\.frame.height)) == [110])
        #expect(layout.rows.first?.lines == ["Document 0", "Nov 21, 2026 at 1:49\u{202F}PM"])
        #expect(layout.rows.first?.action == .open(url: "editor://open/0"))
        #expect(try draw(2, on: try Sample.today(.expanded)).size.height == 110 + 2 * 48)
    }

    @Test func aCompactHeightThatIsNoNumberIsNone() throws {
        for height in [Double.nan, -.infinity, .infinity, -1] {
            let layout = try draw(2, on: try Sample.today(.expanded) { $0.compactHeight = height })
            #expect(layout.size.height.isFinite && layout.size.height >= 0)
        }
    }

    @Test func captionsAreAsLargeAsAllOfThemFit() throws {
        func captions(_ titles: [String], _ category: ContentSizeCategory) throws -> [LayoutText] {
            let display = try Sample.today(.compact) {
                $0.width = 304
                $0.contentSizeCategory = category
                $0.compactHeight = 325
            }
            return try Sample.draw(Sample.documents(1), on: display, measurer: TextMeasurer()) {
                $0.definition.actions = Sample.actions(titles)
            }.all.compactMap(\.text)
        }
        let usual = try captions(["New", "Open", "Help"], .large)
        #expect(Set(usual.map(\.font.scale)) == [1])
        let large = try captions(["New Document", "Scan", "Search Everything"], .accessibilityExtraExtraExtraLarge)
        #expect(Set(large.map(\.font.size)).count == 1)
        #expect(large.allSatisfy { $0.font.size >= 11 })
        #expect(large.map { $0.lines.map(\.text) } == [["New", "Document"], ["Scan"], ["Search", "Everything"]])
        let long = try captions([String(repeating: "w", count: 500), "Scan"], .accessibilityExtraExtraExtraLarge)
        // Half of a word below the other half is harder to read than its beginning.
        #expect(long.map(\.lines.count) == [1, 1])
        #expect(long[0].lines[0].text.hasSuffix("…"))
    }

    @Test func onlyWholeDocumentsAreShown() throws {
        let layout = try draw(9, on: try Sample.today(.expanded) { $0.maximumHeight = 110 + 3 * 48 - 1 })
        #expect(layout.rows.count == 2)
        #expect(layout.size.height == 110 + 2 * 48)
    }

    @Test func onlyTitlesOfMoreThanTenLinesEndInAnEllipsis() throws {
        for (count, isCut) in [(9, false), (90, true)] {
            let title = String(repeating: "A very long title ", count: count)
            let content = Content.documents(DocumentsContent(documents: [RecentDocument(id: "1", title: title)]))
            let layout = try Sample.draw(content, on: try Sample.today(.expanded), measurer: TextMeasurer())
            #expect((1...10).contains(layout.lines.count))
            #expect(layout.lines.last?.hasSuffix("…") == isCut)
        }
    }

    @Test func theHostsHourCycleIsThatOfTimes() throws {
        let display = try Sample.today(.expanded) { $0.hourCycle = .twentyFourHour }
        #expect(try draw(1, on: display).rows.first?.lines.last == "Nov 21, 2026 at 13:49")
    }

    @Test func actionsAreThereBeforeAnyDocumentIs() throws {
        var moment = Sample.moment(.documents)
        moment.definition.actions = Sample.actions
        moment.definition.name = "Editor"
        let compact = Sample.environment(try Sample.today(.compact), moment)
        #expect(buttons(try Sample.sketch(.nothing, compact).layout).count == 3)
        let large = Sample.environment(try Sample.today(.expanded), moment, measurer: TextMeasurer())
        let expanded = try Sample.sketch(.nothing, large).layout
        #expect(buttons(expanded).map(\.frame.height) == [110, 110, 110])
        #expect(expanded.lines.contains { $0.hasPrefix("Open Editor at least once") })
    }

    @Test func aDarkDisplayIsSaidToBeDark() throws {
        let light = try draw(1, on: try Sample.today(.compact))
        let dark = try draw(1, on: try Sample.today(.compact) { $0.appearance = .dark })
        #expect(light.appearance == .light && dark.appearance == .dark)
        #expect(LayoutDigest.of(light) != LayoutDigest.of(dark))
    }

    @Test func linksThatRunSomethingAreNotOpened() throws {
        for link in ["javascript:alert(1)", "file:///etc/passwd", "https://"] {
            let document = RecentDocument(id: "1", title: "One", link: link)
            let content = Content.documents(DocumentsContent(documents: [document]))
            let layout = try Sample.draw(content, on: try Sample.today(.expanded))
            #expect(layout.rows.first?.action == nil, "\(link)")
        }
    }
}
