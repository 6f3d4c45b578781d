// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import Foundation
import Locking
import Testing
import WidgetSchema

@testable import LayoutEngine

/// The rules of typography that hold for people and not for the solver.
@Suite struct DesignRulesTests {
    private static let instant = Instant(milliseconds: 1_795_262_956_000)

    private static func layout(
        _ content: Content,
        on display: Display,
        actions: [QuickAction]? = nil
    ) throws -> Layout {
        try Sample.drawing(content, on: display, TextMeasurer(memory: memory)) { moment in
            (moment.definition.actions, moment.instant) = (actions, instant)
        }.layout
    }

    /// The measured texts of all tests.
    private static let memory = TextMemory()

    // MARK: Quotes

    /// The visible parts of a quote.
    private struct ShownQuote: Hashable {
        let isCut: Bool
        let hasAuthor: Bool
        let hasSource: Bool
    }

    private static func shown(words: Int, on display: Display) throws -> ShownQuote {
        let text = Array(repeating: "theory", count: words).joined(separator: " ")
        let lines = try layout(Sample.quote(text, author: "Ada", source: "Letters"), on: display).lines
        return ShownQuote(
            isCut: lines.contains { $0.hasSuffix("…") },
            hasAuthor: lines.contains("Ada"),
            hasSource: lines.contains("Letters")
        )
    }

    @Test(arguments: [Display.Family.today, .systemSmall, .systemMedium, .systemLarge])
    func theAuthorGivesWayBeforeTheQuoteDoes(family: Display.Family) throws {
        let display = try Sample.display("iphone-393", family, family == .today ? .compact : nil)
        let states = try stride(from: 1, through: 160, by: 3).map { try Self.shown(words: $0, on: display) }
        let whole = try #require(states.firstIndex { $0.isCut })
        // A longer quote than one that is cut is cut, too, and none has an author then.
        #expect(Set(states[whole...]) == [ShownQuote(isCut: true, hasAuthor: false, hasSource: false)])
        #expect(states[0] == ShownQuote(isCut: false, hasAuthor: true, hasSource: true))
        #expect(states[whole - 1] == ShownQuote(isCut: false, hasAuthor: false, hasSource: false))
        #expect(states.filter { $0.hasSource && !$0.hasAuthor } == [])
    }

    // MARK: Rows

    @Test(arguments: [Display.Family.systemSmall, .systemMedium])
    func twoPostsFitAPhoneOf393PointsBecauseTheirRowsAreTwoPointsLower(family: Display.Family) throws {
        let display = try Sample.display("iphone-393", family)
        let rows = try Self.layout(Sample.feed(5), on: display).rows
        #expect(rows.map(\.frame.height) == [62, 62])
        // One post has all of the room that it wants.
        #expect(try Self.layout(Sample.feed(1), on: display).rows.map(\.frame.height) == [64])
    }

    // MARK: Captions

    private static func captions(
        _ titles: [String],
        on device: String = "iphone-375",
        at category: ContentSizeCategory = .extraExtraExtraLarge
    ) throws -> [LayoutText] {
        let display = try Sample.display(device, .today, .compact, at: category)
        return try layout(Sample.documents(1), on: display, actions: Sample.actions(titles)).all.compactMap(\.text)
    }

    @Test func aCaptionHasTwoLinesBeforeItsLettersShrink() throws {
        let two = try Self.captions(["New", "New Document", "Scan"])
        #expect(two.map(\.lines.count) == [1, 2, 1])
        #expect(two.map(\.font.scale) == [1, 1, 1])
        let smaller = try Self.captions(["New", "New Documentation", "Scan"])
        #expect(smaller.map(\.lines.count) == [1, 2, 1])
        #expect(smaller[1].font.scale < 1)
    }

    @Test func allCaptionsHaveOneSizeAndALongWordHasTwoLines() throws {
        let captions = try Self.captions(["New", "Dokumentensuche", "Scan"])
        #expect(Set(captions.map(\.font.scale)).count == 1)
        #expect(captions[1].lines.map(\.text) == ["Dokumentensuche"])
        for category in [ContentSizeCategory.large, .accessibilityMedium] {
            let long = try Self.captions(["New", "Volltextdurchsuchungen", "Scan"], at: category)
            #expect(long.map(\.font.scale).allSatisfy { $0 == long[0].font.scale && $0 >= 0.8 }, "\(category)")
            #expect(long[1].lines.map(\.text).joined() == "Volltextdurchsuchungen")
        }
        #expect(try Self.captions(["New", "Volltextdurchsuchungen", "Scan"], at: .large)[1].lines.count == 2)
    }

    @Test func aLongCaptionIsWholeAtElevenPointsOrBrokenAtItsSoftHyphen() throws {
        let titles = ["Neu", "Volltext\u{AD}durchsuchung", "Scan"]
        let wide = try Self.captions(titles, on: "iphone-430", at: .large)
        #expect(wide[1].lines.map(\.text) == ["Volltextdurchsuchung"])
        #expect(Set(wide.map(\.font.size)) == [11])
        let narrow = try Self.captions(titles, on: "iphone-320", at: .large)
        #expect(narrow[1].lines.map(\.text) == ["Volltext\u{2010}", "durchsuchung"])
        #expect(Set(narrow.map(\.font.size)) == [12])
        // At the largest sizes, not even the parts fit; the caption is broken, but not cut.
        for category in ContentSizeCategory.allCases {
            let lines = try Self.captions(titles, at: category).flatMap(\.lines).map(\.text)
            #expect(!lines.contains { $0.hasSuffix("…") }, "\(category)")
        }
    }

    @Test func theHalvesOfABrokenCaptionHaveSimilarLengths() throws {
        let caption = try Self.captions(["Neu", "Volltextdurchsuchung", "Scan"], on: "iphone-320", at: .large)[1]
        let lengths = caption.lines.map(\.text.count)
        #expect(lengths.count == 2)
        #expect(abs(lengths[0] - lengths[1]) <= 4)
    }

    @Test(arguments: [["New Document", "Scan", "Search Everything"], ["Neues Dokument", "Volltextdurchsuchung"]])
    func captionsDoNotShrinkAsTheTextSizeGrows(titles: [String]) throws {
        let sizes = try ContentSizeCategory.allCases.map { category in
            try #require(Self.captions(titles, at: category).map(\.font.size).min())
        }
        #expect(sizes == sizes.sorted())
        #expect(try #require(sizes.last) > 2 * #require(sizes.first))
    }

    @Test func theHeightOfActionsIsThatOfCompactAtAccessibilitySizesToo() throws {
        let display = try Sample.display("iphone-375", .today, .expanded, at: .accessibilityExtraExtraExtraLarge)
        let actions = Sample.actions(["New Document", "Scan", "Search"])
        let layout = try Self.layout(Sample.documents(2), on: display, actions: actions)
        let buttons = layout.views.filter { $0.kind == .button }
        #expect(Set(buttons.map(\.frame.x)) == [0])
        #expect(buttons.reduce(0) { $0 + $1.frame.height } == display.compactHeight)
        #expect(layout.rows.first?.frame.y == display.compactHeight)
    }

    // MARK: Long words

    @Test func aLongWordDoesNotShrinkItsTitle() throws {
        let word = "Donaudampfschifffahrtsgesellschaft"
        for category in [ContentSizeCategory.extraExtraExtraLarge, .accessibilityMedium] {
            let display = try Sample.display("iphone-375", .today, .expanded, at: category)
            let items = [word, "Landschaftsarchitektur ist schön"].map { title in
                FeedItem(id: title, title: "\(title), explained for everyone")
            }
            let titles = try Self.layout(Sample.posts(items), on: display).rows
                .compactMap { $0.all.compactMap(\.text).first }
            #expect(titles.count == 2)
            for title in titles { #expect(title.font.scale >= 0.8, "\(category)") }
        }
    }

    @Test func titlesOfAListHaveOneSizeAtWhichOrdinaryWordsAreWhole() throws {
        let display = try Sample.display("iphone-375", .today, .expanded, at: .accessibilityMedium)
        let titles = ["நூலகம் மீண்டும் திறப்பு", "தொழில்நுட்பக் கண்டுபிடிப்பாளர்களுக்கான பன்னாட்டு மாநாடு", "இன்றிரவு நிலவு"]
        let items = titles.map { FeedItem(id: $0, title: $0, author: "Ada", published: Self.instant) }
        let rows = try Self.layout(Sample.posts(items), on: display).rows
        let shown = rows.compactMap { $0.all.compactMap(\.text).first }
        #expect(shown.count == titles.count)
        #expect(Set(shown.map(\.font.scale)).count == 1)
        for (title, text) in zip(titles, shown) { #expect(text.lines.map(\.text).joined(separator: " ") == title) }
        // No row has an empty line below its labels.
        for row in rows {
            let labels = row.views?.map(\.frame) ?? []
            let bottom = labels.map { $0.y + $0.height }.max() ?? 0
            #expect(row.frame.height - bottom <= RowHeights.padding + 1)
        }
    }

    @Test func aLongAuthorHasTwoLinesAtAccessibilitySizes() throws {
        let display = try Sample.display("iphone-375", .today, .expanded, at: .accessibilityMedium)
        let author = "Dr. Priya Venkataraman-Subramanian of the Institute"
        let items = [FeedItem(id: "1", title: "Library", author: author, published: Self.instant)]
        let row = try #require(try Self.layout(Sample.posts(items), on: display).rows.first)
        #expect(row.views?.map { $0.text?.lines.count } == [1, 2, 1])
        #expect(!row.lines.contains { $0.hasSuffix("…") })
    }

    @Test func titlesHaveAllTheirLinesAtTheLargestOrdinaryTextSize() throws {
        let display = try Sample.display("iphone-320", .today, .expanded, at: .extraExtraExtraLarge)
        let title = "Ferry timetable changes for the winter"
        let items = (0..<6).map { FeedItem(id: "\($0)", title: title, author: "Ada", published: Self.instant) }
        let rows = try Self.layout(Sample.posts(items), on: display).rows
        #expect(rows.count > 1)
        for row in rows { #expect(!row.lines.contains { $0.hasSuffix("…") }) }
    }

    // MARK: Large displays

    @Test func temperaturesAreCloseToTheirDaysOnTheExtraLargeFamily() throws {
        let display = try Sample.display("ipad-1024", .systemExtraLarge)
        let first = LocalDays(.gmt).date(at: Self.instant)
        let days = (0..<5).map { ForecastDay(date: first.advanced(byDays: $0), condition: .rain, low: 2, high: 9) }
        let rows = try Self.layout(.forecast(ForecastContent(days: days)), on: display).rows
        #expect(rows.count == 5)
        for row in rows { #expect(row.frame.width <= display.width / 2) }
        #expect(Set(rows.map(\.frame.x)).count == 2)
    }

    // MARK: Small displays

    @Test func aDisplayThatIsTooSmallForAnyRowShowsTheNameOfTheWidget() throws {
        func layout(name: String?, width: Double) throws -> Layout {
            let display = try Sample.today(.compact) {
                $0.width = width
                $0.compactHeight = 20
            }
            return try Sample.draw(Sample.feed(5), on: display, measurer: TextMeasurer()) { $0.definition.name = name }
        }
        #expect(try layout(name: "Harbour News", width: 120).lines == ["Harbour News"])
        let narrow = try layout(name: "Harbour News", width: 40)
        #expect(narrow.lines == [])
        #expect(narrow.all.compactMap(\.image?.symbol) == ["newspaper"])
        #expect(try layout(name: nil, width: 120).all.compactMap(\.image?.symbol) == ["newspaper"])
    }

    // MARK: Scripts

    /// Returns the families of the fonts that draw a text, and the number of characters that are boxes.
    private static func fonts(of text: String, for purpose: FontSet.Purpose) -> (families: Set<String>, boxes: Int) {
        // It takes the turn itself when it is released.
        let set = FontSet(for: purpose)
        func fonts() -> (families: Set<String>, boxes: Int) {
            let layout: OpaquePointer = pango_layout_new(set.context)
            defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
            pango_layout_set_font_description(layout, set.font(size: 17, weight: .regular, italic: false).description)
            pango_layout_set_text(layout, text, Int32(text.utf8.count))
            var families: Set<String> = []
            var next = pango_layout_get_line_readonly(layout, 0).pointee.runs
            while let node = next {
                next = node.pointee.next
                let run = node.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self)
                guard let font = run?.pointee.item.pointee.analysis.font else { continue }
                let description: OpaquePointer = pango_font_describe(font)
                families.insert(String(cString: pango_font_description_get_family(description)))
                pango_font_description_free(description)
            }
            return (families, Int(pango_layout_get_unknown_glyphs_count(layout)))
        }
        return withExtendedLifetime(set) {
            switch purpose {
            case .measuring: fonts()
            case .drawing: FontSet.drawingTurn.withLock { _ in fonts() }
            }
        }
    }

    @Test(arguments: [
        ("พยากรณ์อากาศวันนี้", "Noto Sans Thai UI"), ("मौसमपूर्वानुमान", "Noto Sans Devanagari UI"),
        ("வானிலைமுன்னறிவிப்பு", "Noto Sans Tamil UI"), ("תחזיתמזגהאוויר", "Noto Sans Hebrew"),
        ("توقعاتالطقس", "Noto Sans Arabic UI"),
    ])
    func eachScriptIsDrawnWithItsOwnFontAndWithoutBoxes(_ text: String, _ family: String) {
        for purpose in [FontSet.Purpose.measuring, .drawing] {
            let fonts = Self.fonts(of: text, for: purpose)
            #expect(fonts.families == [family])
            #expect(fonts.boxes == 0)
        }
    }

    @Test func theImageKeepsTheNotoFontsThatLayoutsUseAndNoOthers() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        func text(_ file: String) throws -> String {
            try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        }
        let kept = try text("Dockerfile").matches(of: /! -name '(NotoSans[A-Za-z]*)-\*'/).map { String($0.1) }
        let families = FontSet.families.split(separator: ",").map { $0.filter { $0 != " " } }
        // The CJK fonts are in files of another form, which the image does not delete.
        #expect(Set(kept) == Set(families.filter { $0.hasPrefix("NotoSans") && !$0.hasPrefix("NotoSansCJK") }))
        let packages = try text("Scripts/install-dependencies.sh").firstMatch(of: /\nfonts=\((.*)\)/)?.1
        #expect(packages?.contains("fonts-noto-core fonts-noto-ui-core") == true)
    }

    // Shows that the count above can fail: no font has this character of the private use area.
    @Test func aCharacterThatNoFontHasIsABox() { #expect(Self.fonts(of: "\u{F8F0}", for: .drawing).boxes == 1) }
}
