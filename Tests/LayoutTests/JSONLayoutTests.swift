// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct JSONLayoutTests {
    @Test func rowsHaveTitleSubtitleAndDate() throws {
        let layout = try Sample.draw(Sample.list(9), on: try Sample.today(.expanded))
        #expect(layout.rows.count == 6)
        #expect(layout.rows[1].lines == ["Row 1", "1,234.5", "Nov 21, 2026"])
        #expect(layout.rows[1].action == .open(url: "https://example.org/rows/1"))
        #expect(Set(layout.rows.map(\.frame.height)) == [64])
    }

    @Test func rowsAreAsHighAsWhatTheyHave() throws {
        let rows = [ContentRow(id: "1", title: .text("One")), ContentRow(id: "2", title: .text("Two"))]
        let layout = try Sample.draw(.json(RowsContent(rows: rows)), on: try Sample.today(.expanded))
        #expect(layout.rows.map(\.frame.height) == [32, 32])
    }

    @Test func valuesAreWrittenAsTheLocaleHasThem() throws {
        func title(_ value: RowValue, _ locale: String) throws -> String? {
            let content = Content.json(RowsContent(rows: [ContentRow(id: "1", title: value)]))
            return try Sample.draw(content, on: try Sample.today(.compact) { $0.locale = locale }).lines.first
        }
        #expect(try title(.number(RowNumber(1234.5)), "de_DE") == "1.234,5")
        #expect(try title(.number(RowNumber(0.256, .percent)), "en_US") == "25.6%")
        #expect(try title(.number(RowNumber(123_456_789, .bytes)), "en_US") == "123.5 MB")
        #expect(try title(.date(Sample.instant), "de_DE") == "21. Nov. 2026")
        #expect(try title(.number(RowNumber(.infinity)), "en_US") == "Untitled")
    }

    @Test func classicHasItsFooter() throws {
        let layout = try Sample.draw(Sample.list(9), on: try Sample.classic { $0.locale = "de_DE" })
        #expect(layout.rows.count == 3)
        #expect(layout.footer?.lines == ["Mehr anzeigen"])
    }
}
