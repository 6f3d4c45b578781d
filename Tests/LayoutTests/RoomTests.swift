// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// The use of the room at accessibility text sizes.
@Suite struct RoomTests {
    private static let memory = TextMemory()

    private static func layout(_ content: Content, on display: Display) throws -> Layout {
        try Sample.drawing(content, on: display, TextMeasurer(memory: memory)) {
            $0.definition.actions = content.kind == .documents ? Sample.actions : nil
        }.layout
    }

    private static func posts(_ count: Int) -> Content {
        let items = (0..<count).map {
            FeedItem(id: "\($0)", title: "Ferry timetable changes for the winter", published: Sample.instant)
        }
        return Sample.posts(items)
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
