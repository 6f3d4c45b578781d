// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import Foundation
import LayoutEngine
import WidgetSchema

/// Lays out many widgets, first cold and then warm, and measures the same texts with Pango alone.
///
/// usage: LayoutBenchmark WIDGETS [WARM ROUNDS]
///
/// Writes one JSON object. Times are for all widgets together, in seconds, on one thread. `cold` lays out with empty
/// caches and loaded fonts, and `warm` repeats that. `bare` has Pango break each text that `cold` measured into lines,
/// once, with loaded fonts.
@main
struct LayoutBenchmark {
    struct Report: Encodable {
        var layouts: Int
        var texts: Int
        var cold: Double
        var warm: Double
        var bare: Double
    }

    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
        guard (1...2).contains(numbers.count), numbers.count == CommandLine.arguments.count - 1 else {
            FileHandle.standardError.write(Data("usage: LayoutBenchmark WIDGETS [WARM ROUNDS]\n".utf8))
            exit(2)
        }
        let count = numbers[0]
        let rounds = numbers.count > 1 ? numbers[1] : 5
        let orders = try (0..<count).flatMap { number in try Display.Mode.allCases.map { try order(number, $0) } }
        let recorder = TextRecorder()
        _ = orders.map(LayoutRenderer(measurer: recorder).draw)

        let measurer = TextMeasurer(memory: TextMemory(maximumBytes: 256 * 1024 * 1024))
        measurer.warmUp()
        for text in recorder.fonts { _ = measurer.measure(text.0, font: text.1, width: 1000, maximumLines: 1) }
        let renderer = LayoutRenderer(measurer: measurer)
        let cold = seconds { _ = orders.map(renderer.draw) }
        let warm = (0..<rounds).map { _ in seconds { _ = orders.map(renderer.draw) } }.min() ?? 0
        let bare = BarePango()
        for text in recorder.fonts { bare.breakLines(TextRecorder.Text(text.0, text.1, 1000, 1)) }
        let alone = seconds { for text in recorder.texts { bare.breakLines(text) } }
        precondition(bare.width > 0, "texts have a width")
        let report = Report(layouts: orders.count, texts: recorder.texts.count, cold: cold, warm: warm, bare: alone)
        FileHandle.standardOutput.write(try JSONEncoder().encode(report) + Data("\n".utf8))
    }

    /// Returns the processor time of the thread, so that other work on the machine does not count.
    private static func seconds(_ work: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        work()
        return now() - start
    }

    /// Returns a widget on a phone's Today view, which shows both modes; the kinds alternate, and no text occurs twice.
    private static func order(_ number: Int, _ mode: Display.Mode) throws -> DrawingOrder {
        let content = content(number)
        guard let name = DisplayName(rawValue: "phone-\(mode.rawValue)"),
            let device = DeviceProfile.named("iphone-390"),
            let proposal = device.proposal(for: .today, at: .large),
            // Widgets with the same digest are drawn once.
            let digest = ContentDigest(rawValue: String(repeating: "0", count: 56) + "\(10_000_000 + number)")
        else { throw CocoaError(.featureUnsupported) }
        let display = Display(
            name: name,
            family: .today,
            mode: mode,
            width: proposal.width,
            compactHeight: proposal.compactHeight,
            maximumHeight: proposal.maximumHeight,
            contentSizeCategory: .large,
            scale: device.scale,
            insets: proposal.insets,
            locale: "en_US",
            timeZone: "Europe/Berlin"
        )
        let moment = WidgetMoment(
            definition: WidgetDefinition(kind: content.kind),
            interaction: InteractionState(),
            instant: Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 0)
        )
        return DrawingOrder(shown: .content(content, digest), moment: moment, display: display)
    }

    private static let words = [
        "harbour", "Überraschung", "signal", "market", "river", "council", "Grüße", "engine", "library", "evening",
        "discovers", "opens", "closes", "repairs", "measures", "東京", "forgets", "returns", "quietly", "again",
    ]

    private static func text(_ number: Int, words count: Int) -> String {
        let chosen = (0..<count).map { words[(number &* 7 &+ $0 &* 13 &+ number / 20) % words.count] }
        return "\(number) " + chosen.joined(separator: " ")
    }

    private static func content(_ number: Int) -> Content {
        let moment = Instant(milliseconds: 1_700_000_000_000 + Int64(number) * 86_400_000 * 7)
        switch number % 4 {
        case 0, 1:
            let items = (0..<6).map { index in
                FeedItem(
                    id: "\(index)",
                    title: text(number * 6 + index, words: 9),
                    author: text(number * 6 + index, words: 2),
                    published: moment.advanced(byMilliseconds: Int64(index) * 86_400_000),
                    link: "https://example.org/\(number)/\(index)"
                )
            }
            return .feed(FeedContent(items: items))
        case 2:
            let quote = Quote(
                text: text(number, words: 40),
                author: text(number, words: 2),
                source: text(number + 1, words: 4)
            )
            return .quote(QuoteContent(quotes: [quote]))
        default:
            let documents = (0..<4).map { index in
                RecentDocument(
                    id: "\(index)",
                    title: text(number * 6 + index, words: 12),
                    link: "editor://\(index)",
                    openedAt: moment.advanced(byMilliseconds: Int64(index) * 3_600_000)
                )
            }
            return .documents(DocumentsContent(documents: documents))
        }
    }
}

/// Records each measured text once.
private final class TextRecorder: TextMeasuring {
    struct Text: Hashable {
        let text: DisplayText
        let font: LayoutFont
        let width: Double
        let maximumLines: Int

        init(_ text: DisplayText, _ font: LayoutFont, _ width: Double, _ maximumLines: Int) {
            self.text = text
            self.font = font
            self.width = width
            self.maximumLines = maximumLines
        }
    }

    private(set) var texts: [Text] = []
    private var seen: Set<Text> = []
    private let measurer = TextMeasurer(memory: nil)

    /// One text in each font, for loading the fonts before the measurement.
    var fonts: [(DisplayText, LayoutFont)] {
        Set(texts.map(\.font)).map { (DisplayText("Überraschung 東京 0123456789 …"), $0) }
    }

    func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
        let question = Text(text, font, width, maximumLines)
        if !text.isEmpty, seen.insert(question).inserted { texts.append(question) }
        let lines = measurer.measure(text, font: font, width: width, maximumLines: maximumLines)
        // A text that has fewer lines than allowed has the same lines if only those are allowed.
        seen.insert(Text(text, font, width, lines.count))
        return lines
    }
}

/// Pango alone, with the settings of layouts: breaks text of a font and width into lines, and measures them.
private final class BarePango {
    private let context: OpaquePointer
    private let layout: OpaquePointer
    private let attributes: OpaquePointer
    private var descriptions: [LayoutFont: OpaquePointer] = [:]
    /// The total width of all lines, so that the compiler cannot remove the work.
    private(set) var width = 0

    init() {
        let fontMap = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fontMap)
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
        pango_context_set_language(context, pango_language_from_string("en"))
        layout = pango_layout_new(context)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        pango_layout_set_attributes(layout, attributes)
    }

    func breakLines(_ text: TextRecorder.Text) {
        var string = text.text.string
        string.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                pango_layout_set_text(layout, characters.baseAddress, Int32(characters.count))
            }
        }
        pango_layout_set_font_description(layout, description(text.font))
        pango_layout_set_width(layout, Int32(text.width * Double(PANGO_SCALE)))
        pango_layout_set_height(layout, -Int32(clamping: text.maximumLines))
        var lines = pango_layout_get_lines_readonly(layout)
        precondition(lines != nil, "every text has a line")
        while let line = lines {
            lines = line.pointee.next
            var run = line.pointee.data?.assumingMemoryBound(to: PangoLayoutLine.self).pointee.runs
            while let node = run {
                run = node.pointee.next
                guard let item = node.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self) else { continue }
                width += Int(pango_glyph_string_get_width(item.pointee.glyphs))
            }
        }
    }

    private func description(_ font: LayoutFont) -> OpaquePointer {
        if let known = descriptions[font] { return known }
        let description: OpaquePointer = pango_font_description_new()
        pango_font_description_set_family(description, FontSet.families)
        let weights: [LayoutFont.Weight: PangoWeight] = [.semibold: PANGO_WEIGHT_SEMIBOLD, .bold: PANGO_WEIGHT_BOLD]
        pango_font_description_set_weight(description, weights[font.weight] ?? PANGO_WEIGHT_NORMAL)
        pango_font_description_set_style(description, font.italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        pango_font_description_set_absolute_size(description, font.size * Double(PANGO_SCALE))
        descriptions[font] = description
        return description
    }
}
