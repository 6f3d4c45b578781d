// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import LayoutEngine

/// The font sizes that are not tried for a quote because they are certainly too large.
@Suite struct MainTextTests {
    /// Records the font size of each measured text.
    private final class RecordingMeasurer: TextMeasuring {
        private let measurer = TextMeasurer(memory: TextMemory())
        private(set) var sizes: Set<Double> = []

        func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
            sizes.insert(font.size)
            return measurer.measure(text, font: font, width: width, maximumLines: maximumLines)
        }
    }

    private static let scales = [3, 1.8, 1.4, 1, 0.9, 0.8, 0.75, 0.7, 0.65, 0.55, 0.45]

    private static let pieces = [
        "Insensibly one begins to twist facts to suit theories. ", "Überraschung ", "日本語の文章を短くする。", "مرحبا بالعالم ",
        "Donaudampfschifffahrtsgesellschaft ", "Voll\u{AD}text\u{AD}durch\u{AD}suchung ", "a i l . ",
    ]

    private func displays() throws -> [Display] {
        let homes = [(122.0, 250.0), (296, 128), (400, 300), (800, 480)].map { size in
            { (display: inout Display) in
                display.family = .systemLarge
                display.insets = EdgeInsets()
                (display.width, display.maximumHeight) = size
            }
        }
        return try [try Sample.today(.compact), try Sample.today(.compact) { $0.width = 120 }]
            + [ContentSizeCategory.extraSmall, .accessibilityExtraExtraExtraLarge].map { category in
                try Sample.today(.compact) { $0.contentSizeCategory = category }
            } + homes.map { try Sample.classic($0) }
    }

    @Test(arguments: pieces)
    func onlyScalesAtWhichTheQuoteIsCutAreExcluded(piece: String) throws {
        let measurer = TextMeasurer(memory: TextMemory())
        var excluded = 0
        for count in [1, 2, 3, 5, 8, 13, 21] {
            let quote = Quote(text: String(repeating: piece, count: count), author: "Arthur Conan Doyle")
            let content = Content.quote(QuoteContent(quotes: [quote]))
            let shown = ShownContent.content(content, try Sample.frame(content).reference.digest)
            for display in try displays() {
                let environment = Sample.environment(display, Sample.moment(.quote), measurer: measurer)
                let text = try #require(QuoteLayout().mainText(of: content, in: environment))
                for scale in Self.scales where text.isCertainlyCut(at: scale) {
                    excluded += 1
                    let (sketch, words) = environment.draw(
                        { QuoteLayout().drawing(of: shown, in: $0) },
                        scaledBy: scale,
                        columns: 1
                    )
                    #expect(!sketch.layout.isWhole || words.broken > words.brokenLongWords)
                }
            }
        }
        #expect(excluded > 100)
    }

    @Test func aQuoteThatIsCutAtEverySizeIsMeasuredAtItsOrdinarySizeOnly() throws {
        let measurer = RecordingMeasurer()
        let quote = Quote(text: String(repeating: "Many words make a long quote. ", count: 24))
        let content = Content.quote(QuoteContent(quotes: [quote]))
        let layout = try Sample.drawing(content, on: try Sample.today(.compact), measurer).layout
        #expect(!layout.isWhole)
        #expect(measurer.sizes == [17])
    }
}
