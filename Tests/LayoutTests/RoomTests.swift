// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// The use of the room on panels and at accessibility text sizes.
@Suite struct RoomTests {
    private static let memory = TextMemory()
    private static let panels = [
        Size(width: 400, height: 300), Size(width: 800, height: 480), Size(width: 1280, height: 800),
    ]
    /// The maximum distance between the name of a day and its temperatures, as a fraction of the panel's width.
    ///
    /// It is larger in rows that are as wide as the panel.
    private static let largestGap = 0.5

    private static func layout(_ content: Content, on display: Display) throws -> Layout {
        try Sample.drawing(content, on: display, TextMeasurer(memory: memory)) {
            $0.definition.actions = content.kind == .documents ? Sample.actions : nil
        }.layout
    }

    private static func panel(_ size: Size) throws -> Display { try Sample.panel(size.width, size.height) }

    private static func posts(_ count: Int) -> Content {
        let items = (0..<count).map {
            FeedItem(id: "\($0)", title: "Ferry timetable changes for the winter", published: Sample.instant)
        }
        return Sample.posts(items)
    }

    @Test(arguments: [WidgetKind.forecast, .documents]) func symbolsGrowWithThePanel(kind: WidgetKind) throws {
        let content = kind == .forecast ? try Sample.forecast() : Sample.documents(4)
        let displays = try [Sample.today(.expanded)] + Self.panels.map { try Self.panel($0) }
        let sides = try displays.map { display in
            let layout = try Self.layout(content, on: display)
            // The symbols of actions, not those of documents.
            let views = kind == .forecast ? layout.all : layout.views.filter { $0.kind == .button }.flatMap(\.all)
            return try #require(views.compactMap { $0.image == nil ? nil : $0.frame.height }.max())
        }
        // A panel of the size of a phone has the symbols of a phone.
        #expect(sides == sides.sorted(), "\(sides)")
        #expect(Set(sides.dropFirst()).count == Self.panels.count, "\(sides)")
    }

    @Test(arguments: panels) func temperaturesOfAPanelStandBesideTheirDays(size: Size) throws {
        let rows = try Self.layout(try Sample.forecast(), on: try Self.panel(size)).rows
        #expect(rows.count == ForecastLink.forecastDays)
        for row in rows {
            let lines = (row.views ?? []).flatMap { view in
                (view.text?.lines ?? []).map { (text: $0.text, left: view.frame.x + $0.x, width: $0.width) }
            }
            let temperatures = lines.filter { $0.text.hasSuffix("°") }
            let names = lines.filter { !$0.text.hasSuffix("°") }
            #expect(temperatures.count == 2)
            let end = try #require(names.map { $0.left + $0.width }.max())
            let start = try #require(temperatures.map(\.left).min())
            #expect(start - end < size.width * Self.largestGap, "\(names) \(temperatures)")
        }
    }

    @Test func aLargerPanelHasMoreRowsOfALongFeed() throws {
        let counts = try Self.panels.map { try Self.layout(Self.posts(60), on: try Self.panel($0)).rows.count }
        #expect(counts == counts.sorted() && Set(counts).count == Self.panels.count, "\(counts)")
    }

    @Test(arguments: panels.dropFirst()) func aLongFeedFillsTheColumnsOfAPanel(size: Size) throws {
        let rows = try Self.layout(Self.posts(40), on: try Self.panel(size)).rows
        let columns = Dictionary(grouping: rows, by: \.frame.x).values
        #expect(columns.count >= 2)
        let lowest = try #require(rows.map(\.frame.height).min())
        for column in columns {
            let bottom = try #require(column.map { $0.frame.y + $0.frame.height }.max())
            #expect(size.height - bottom < lowest, "\(column.map(\.frame))")
        }
    }

    @Test(arguments: [ContentSizeCategory.accessibilityMedium, .accessibilityExtraExtraExtraLarge])
    func aLongTitleHasSeveralLinesOfItsSizeAtAccessibilitySizes(category: ContentSizeCategory) throws {
        let display = try Sample.today(.expanded) { $0.contentSizeCategory = category }
        let titles = try Self.layout(Self.posts(3), on: display).rows.compactMap { $0.all.compactMap(\.text).first }
        #expect(!titles.isEmpty)
        for title in titles {
            #expect((2...RowTitles.maximumFreeLines).contains(title.lines.count), "\(title.lines.map(\.text))")
            #expect(title.font.scale == 1)
        }
    }
}
