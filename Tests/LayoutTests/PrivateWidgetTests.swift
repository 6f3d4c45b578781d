// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// The texts of private widgets on lock screens and in summaries.
@Suite struct PrivateWidgetTests {
    private static let accessories: [Display.Family] = [.accessoryRectangular, .accessoryCircular, .accessoryInline]

    private func draw(
        _ content: Content,
        on family: Display.Family,
        locale: String = "en_US",
        isPrivate: Bool = true
    ) throws -> Drawing {
        var display = try Sample.display("iphone-393", family, family.hasModes ? .expanded : nil)
        display.locale = locale
        return try Sample.drawing(content, on: display) { $0.definition.private = isPrivate }
    }

    private func contents() throws -> [Content] {
        [Sample.feed(3), Sample.facts, try Sample.forecast(), Sample.quotes, Sample.documents(3), Sample.list(3)]
    }

    @Test(arguments: accessories) func aPrivateWidgetShowsANumberOnALockScreen(family: Display.Family) throws {
        for content in try contents() {
            let layout = try draw(content, on: family).layout
            let isShort = family == .accessoryCircular
            #expect(layout.lines.count == 1 && layout.lines[0].hasSuffix("\(content.count)"), "\(content.kind)")
            #expect(isShort || layout.lines[0].count > 3)
            #expect(layout.all.compactMap(\.action) == [])
        }
        #expect(try draw(Sample.documents(3), on: .accessoryInline).layout.lines == ["Documents: 3"])
        #expect(try draw(Sample.documents(3), on: .accessoryInline, locale: "de_DE").layout.lines == ["Dokumente: 3"])
    }

    @Test func aPrivateWidgetShowsItsTextsInTheTodayViewButNotInItsSummary() throws {
        let open = try draw(Sample.feed(3), on: .today, isPrivate: false)
        let drawing = try draw(Sample.feed(3), on: .today)
        #expect(drawing.layout == open.layout)
        #expect(drawing.summary == "Posts: 3" && open.summary == "Post 0")
    }

    @Test func anotherTitleIsNotVisibleOnTheLockScreenOfAPrivateWidget() throws {
        let titles = ["Will", "Divorce papers"].map { title in
            Content.documents(DocumentsContent(documents: [RecentDocument(id: "1", title: title)]))
        }
        let digests = try titles.map { try draw($0, on: .accessoryRectangular).digest }
        #expect(digests[0] == digests[1])
    }
}
