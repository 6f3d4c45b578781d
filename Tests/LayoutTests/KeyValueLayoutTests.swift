// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

@Suite struct KeyValueLayoutTests {
    @Test func onePairIsShownAsKeyAndValueWithAButtonForTheNext() throws {
        let layout = try Sample.draw(Sample.facts, on: try Sample.today(.compact))
        #expect(layout.lines.count == 1)
        #expect(["City - Berlin", "Country - Germany", "Time zone - Europe/Berlin"].contains(layout.lines.first))
        let button = try #require(layout.all.first { $0.kind == .button })
        #expect(button.action == .command(.nextValue))
        #expect(button.frame.width == 44 && button.frame.height == 44)
        #expect(button.views?.first?.image?.symbol == "arrow.clockwise")
    }

    @Test func theNextPositionShowsAnotherPairAndTheSameStateTheSame() throws {
        func line(_ position: UInt32) throws -> String? {
            try Sample.draw(Sample.facts, on: try Sample.today(.compact)) {
                $0.interaction.position = position
                $0.interaction.seed = 7
            }.lines.first
        }
        #expect(try Set((0..<3).map { try line($0) }).count == 3)
        #expect(try line(3) == line(0))
        #expect(try line(1) != line(0))
    }

    @Test(arguments: [ShownPairs.one, .all], Array(stride(from: 240, through: 330, by: 10)))
    func aLongFactIsNotLargerAtASmallerTextSize(show: ShownPairs, length: Int) throws {
        let text = String(repeating: "bread and people ", count: 30).prefix(length)
        let content = Content.keyValue(KeyValueContent(pairs: [KeyValuePair(key: "Fact", value: String(text))]))
        let shown = ShownContent.content(content, try Sample.frame(content).reference.digest)
        var moment = Sample.moment(.keyValue)
        moment.definition.show = show
        let renderer = LayoutRenderer(measurer: TextMeasurer())
        var sizes: [Double] = []
        for category in ContentSizeCategory.allCases where category < .accessibilityMedium {
            let display = try Sample.today(.compact) { $0.setTextSize(category) }
            let layout = renderer.draw(DrawingOrder(shown: shown, moment: moment, display: display)).layout
            sizes.append(try #require(layout.all.compactMap(\.text).first).font.size)
        }
        #expect(sizes == sizes.sorted())
    }

    @Test func itsInsetsAreTenAtTheRightAndFiveBelow() throws {
        let display = try Sample.classic { $0.insets = EdgeInsets(leading: 47, bottom: 39, trailing: 30) }
        let area = Sample.environment(display, Sample.moment(.keyValue)).area
        #expect(area.bottom == 5)
        #expect(area.right == display.width - 10 && area.left == 47)
        let layout = try Sample.draw(Sample.facts, on: display)
        let button = try #require(layout.all.first { $0.kind == .button })
        #expect(button.frame.x + button.frame.width == display.width - 10)
        // The button is in the middle above the lower inset.
        #expect(abs(2 * button.frame.y + button.frame.height - (layout.size.height - 5)) <= 0.5)
    }

    @Test func theWidgetsOwnInsetsWinEdgeByEdge() throws {
        var moment = Sample.moment(.keyValue)
        moment.definition.insets = InsetsOverride(bottom: 8)
        let area = Sample.environment(try Sample.classic(), moment).area
        #expect(area.bottom == 8 && area.right == 359 - 10)
    }

    @Test func whatIsSaidBeforeThereIsDataStandsBesideTheButton() throws {
        let environment = Sample.environment(try Sample.today(.compact), Sample.moment(.keyValue))
        func layout(_ shown: ShownContent) throws -> Layout { try Sample.sketch(shown, environment).layout }
        let loading = try layout(.nothing)
        #expect(loading.lines == ["Loading…"])
        #expect(loading.all.contains { $0.action == .command(.nextValue) })
        #expect(loading.size.height == 110)
        #expect(try layout(.none(isRefreshing: true, attemptFailed: false)).lines == ["Refreshing…"])
        #expect(try layout(.none(isRefreshing: true, attemptFailed: true)).lines == ["Refreshing…"])
        let failed = try layout(.none(isRefreshing: false, attemptFailed: true))
        #expect(failed.lines.joined() == "An error occurred while retrieving data")
    }
}
