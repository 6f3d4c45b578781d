// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import LayoutEngine
@testable import WidgetSchema

/// Tests of the rules for the modes, the footer and the families of displays.
@Suite struct DisplayRulesTests {
    private func layout(
        _ content: Content,
        on display: Display,
        _ change: (inout WidgetDefinition) -> Void = { _ in },
        interaction: InteractionState = InteractionState()
    ) throws -> Layout {
        try Sample.drawing(content, on: display) { moment in
            change(&moment.definition)
            moment.interaction = interaction
        }.layout
    }

    private func facts(_ count: Int) -> Content {
        .keyValue(KeyValueContent(pairs: (0..<count).map { KeyValuePair(key: "key \($0)", value: "value \($0)") }))
    }

    private func texts(_ views: [LayoutView]) -> [String] {
        views.flatMap { view in
            (view.text.map { [$0.lines.map(\.text).joined(separator: " ")] } ?? []) + texts(view.views ?? [])
        }
    }

    @Test func aWidgetThatExpandsToNoMoreSaysSo() throws {
        for mode in Display.Mode.allCases {
            #expect(try layout(facts(3), on: try Sample.today(mode)).largestMode == .compact)
            #expect(try layout(Sample.feed(1), on: try Sample.today(mode)).largestMode == .compact)
            #expect(try layout(Sample.feed(5), on: try Sample.today(mode)).largestMode == nil)
        }
    }

    @Test func expandedIsNeverLowerThanCompact() throws {
        for content in [facts(3), Sample.feed(1), Sample.documents(1), try Sample.forecast(days: 1)] {
            let heights = try Display.Mode.allCases.map { try layout(content, on: try Sample.today($0)).size.height }
            #expect(heights[1] >= heights[0], "\(content.kind)")
        }
    }

    @Test func theFooterIsThereOnlyIfItShowsMore() throws {
        let low = try Sample.classic { $0.maximumHeight = 110 }
        let high = try Sample.classic()
        for isExpanded in [false, true] {
            let state = InteractionState(expanded: isExpanded)
            #expect(try layout(Sample.feed(8), on: low, interaction: state).footer == nil)
            #expect(try layout(Sample.feed(8), on: high, interaction: state).footer != nil)
        }
    }

    @Test func classicDisplaysShowFourDocumentsInTheFullWidthWithoutAFooter() throws {
        let classic = try Sample.classic { $0.insets = EdgeInsets(leading: 47) }
        let layout = try layout(Sample.documents(6), on: classic)
        let rows = layout.rows
        #expect(rows.count == 4)
        #expect(rows.allSatisfy { $0.frame.x == 0 && $0.frame.width == classic.width })
        #expect(layout.footer == nil)
    }

    @Test func theMarginsOfFactsAreForClassicDisplaysAlone() throws {
        for family in Display.Family.allCases {
            let insets = KeyValueLayout().insets(on: family)
            #expect(insets == (family == .todayClassic ? InsetsOverride(bottom: 5, trailing: 10) : InsetsOverride()))
        }
    }

    @Test func allFactsAreATableWhereThereIsRoom() throws {
        let expanded = try layout(facts(7), on: try Sample.today(.expanded)) { $0.show = .all }
        #expect(expanded.rows.count == 7)
        #expect(texts(expanded.views).prefix(2) == ["key 0", "value 0"])
        let compact = try layout(facts(7), on: try Sample.today(.compact)) { $0.show = .all }
        #expect(compact.rows.count == 3)
        let low = try layout(facts(7), on: try Sample.today(.compact) { $0.compactHeight = 95 }) { $0.show = .all }
        #expect(texts(low.views).filter { $0.contains(" - ") }.count == 1)
    }

    @Test func aDeviceShowsItsOwnFact() throws {
        let display = try Sample.today(.expanded)
        var interaction = InteractionState(shownKey: "key 0")
        interaction.displays = [display.device: DisplayInteraction(expanded: false, shownKey: "key 2")]
        for mode in Display.Mode.allCases {
            let shown = texts(try layout(facts(3), on: try Sample.today(mode), interaction: interaction).views)
            #expect(shown == ["key 2 - value 2"])
        }
        let classic = try layout(facts(3), on: try Sample.classic(), interaction: interaction)
        #expect(texts(classic.views) == ["key 0 - value 0"])
    }

    @Test func aWidgetsLinkIsThatOfItsLayoutAndOfTheDays() throws {
        let link = "myweather://berlin"
        let layout = try layout(try Sample.forecast(), on: try Sample.today(.expanded)) { $0.link = link }
        #expect(layout.link == link)
        let days = layout.rows.map(\.action)
        #expect(days.first == .open(url: "myweather://berlin?daysFromNow=0"))
    }

    @Test func anUnknownConditionIsShownAsGivenWithANeutralIcon() throws {
        let first = try #require(CalendarDate("2026-11-21"))
        let days = [ForecastDay(date: first, condition: .unknown, conditionText: "Volcanic ash", low: 1, high: 2)]
        let layout = try layout(.forecast(ForecastContent(days: days)), on: try Sample.today(.compact))
        #expect(texts(layout.views).contains("Volcanic ash"))
        #expect(layout.all.compactMap(\.image?.symbol) == ["thermometer"])
    }

    @Test func datesMayBeShort() throws {
        let dates: [String?] = try [DateStyle.short, .medium].map { style in
            let shown = try layout(Sample.feed(1), on: try Sample.today(.compact)) { $0.dateStyle = style }
            return texts(shown.views).last
        }
        #expect(dates[0] == "11/21/26")
        #expect(dates[0] != dates[1])
    }

    @Test func noOrdinaryWordIsBroken() throws {
        let layout = try layout(Sample.fact("country", "Netherlands"), on: Sample.home(.systemSmall, 158, 158))
        #expect(texts(layout.views) == ["country - Netherlands"])
        #expect(!WordBreaks.isBroken(lines: ["Netherlan", "ds"], of: "Netherlan ds"))
        #expect(WordBreaks.isBroken(lines: ["Netherlan", "ds"], of: "Netherlands"))
        #expect(!WordBreaks.isBroken(lines: ["吾輩は", "猫である"], of: "吾輩は猫である"))
        // Numbers are not broken at their separators.
        #expect(WordBreaks.isBroken(lines: ["192.0.2", ".1"], of: "192.0.2.1"))
        #expect(WordBreaks.isBroken(lines: ["at 12:", "30"], of: "at 12:30"))
        #expect(WordBreaks.isBroken(lines: ["192.0.2.", "1"], of: "192.0.2.1"))
        #expect(!WordBreaks.isBroken(lines: ["of 2026.", "12 posts"], of: "of 2026. 12 posts"))
        // The first line ends with a virama, which is a mark and no letter; a variation selector is no part of a word.
        #expect(WordBreaks.isBroken(lines: ["கண்டுபிடிப்பாளர்களுக்", "கான"], of: "கண்டுபிடிப்பாளர்களுக்கான"))
        #expect(!WordBreaks.isBroken(lines: ["☀️", "Sunny"], of: "☀️Sunny"))
    }

    @Test(arguments: ["", "\u{200F}"]) func theRuleForNumbersIsTheSameForLinesWithDirectionMarks(mark: String) {
        #expect(WordBreaks.isBroken(lines: ["\(mark)192.0.2", ".1"], of: "192.0.2.1"))
        #expect(WordBreaks.isBroken(lines: ["\(mark)שעה 12:", "30"], of: "שעה 12:30"))
        #expect(WordBreaks.isBroken(lines: ["\(mark)٣٫", "١٤"], of: "٣٫١٤"))
        #expect(!WordBreaks.isBroken(lines: ["\(mark)of 2026.", "12 posts"], of: "of 2026. 12 posts"))
    }

    @Test func cutLinesAreAsWideAsTheyAreDrawn() {
        let measurer = TextMeasurer(memory: nil)
        let font = LayoutFont(.subheadline, .regular, in: .large)
        for text in ["Ferry timetable changes for the winter", "جدول العبّارات لفصل الشتاء ابتداء من الأحد"] {
            let cut = measurer.measure(DisplayText(text), font: font, width: 103, maximumLines: 1)
            let alone = measurer.measure(DisplayText(cut[0].text), font: font, width: 1000, maximumLines: 1)
            #expect(cut[0].text.hasSuffix("…"))
            #expect(abs(cut[0].width - alone[0].width) < 0.5)
        }
    }
}
