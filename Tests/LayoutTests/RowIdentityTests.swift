// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// Rows have ids in layouts, and row changes name them between compact and expanded mode.
@Suite struct RowIdentityTests {
    private func drawing(
        _ content: Content,
        _ mode: Display.Mode,
        _ change: (inout Display) -> Void = { _ in }
    ) throws -> Drawing { try Sample.drawing(content, on: try Sample.today(mode, change)) }

    private func ids(_ layout: Layout) -> [String?] { layout.views.filter { $0.kind == .row }.map(\.id) }

    @Test func aRowHasTheIDOfItsItemInBothModes() throws {
        let compact = try drawing(Sample.feed(5), .compact).publishedLayout
        let expanded = try drawing(Sample.feed(5), .expanded).publishedLayout
        #expect(ids(compact) == ["post-0"])
        #expect(ids(expanded) == (0..<5).map { "post-\($0)" })
        #expect(expanded.views.filter { $0.kind != .row }.allSatisfy { $0.id == nil })
    }

    @Test func theIDsOfRowsAreUniqueAlsoIfThoseOfItemsAreNot() throws {
        let ids = ["a", "a", "a#2", "a"].map { ContentRow(id: $0, title: .text("Title")) }
        let layout = try drawing(.json(RowsContent(rows: ids)), .expanded).layout
        #expect(Set(self.ids(layout)).count == 4 && self.ids(layout).first == "a")
    }

    @Test func theSwitchBetweenModesNamesTheRowsThatAppearAndDisappear() throws {
        let (compact, expanded) = (try drawing(Sample.feed(5), .compact), try drawing(Sample.feed(5), .expanded))
        let opening = try #require(expanded.publishedLayout.modeChanges)
        #expect(opening.from == compact.digest && opening.inserted == [1, 2, 3, 4] && opening.deleted == [])
        let closing = try #require(compact.publishedLayout.modeChanges)
        #expect(closing.from == expanded.digest && closing.inserted == [] && closing.deleted == [1, 2, 3, 4])
        // They are not visible.
        #expect(LayoutDigest.of(expanded.publishedLayout, hasContent: true) == expanded.digest)
        #expect(try drawing(Sample.quotes, .expanded).publishedLayout.modeChanges == nil)
    }

    @Test func aWidgetWithoutExpandedModeSaysSo() throws {
        let both = try drawing(Sample.feed(5), .compact)
        let alone = try drawing(Sample.feed(5), .compact) { $0.largestMode = .compact }
        #expect(both.layout.largestMode == nil && alone.layout.largestMode == .compact)
        #expect(alone.publishedLayout.modeChanges == nil && alone.layout.views == both.layout.views)
    }
}
