// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import LayoutEngine

/// Texts that look the same are no news, and texts that look different are.
///
/// Each pair of texts is drawn as it is, and laid out as content is made.
@Suite struct InvisibleTextTests {
    /// The relation of two texts: their pixels as they are, and their digests as content.
    private struct Comparison {
        var haveEqualPixels: Bool
        var areNoData: Bool

        /// Returns the difference in words.
        func words(_ scalar: Unicode.Scalar) -> String {
            "U+\(String(scalar.value, radix: 16)): the pixels \(haveEqualPixels ? "are equal" : "differ")"
        }
    }

    private final class Drawings {
        private let renderer = LayoutRenderer(measurer: TextMeasurer())
        private let painter = CairoPainter()
        private let display: Display
        private var pictures: [[UInt8]: Data] = [:]

        init() throws { display = try Sample.today(.compact) }

        func compare(_ first: String, _ second: String) throws -> Comparison {
            let pixels = try (picture(first), picture(second))
            return Comparison(haveEqualPixels: pixels.0 == pixels.1, areNoData: areNoData(first, second))
        }

        func areNoData(_ first: String, _ second: String) -> Bool {
            drawing(quote(first).normalized).digest == drawing(quote(second).normalized).digest
        }

        private func picture(_ text: String) throws -> Data {
            // Strings that are canonically equivalent are equal; their bytes are not.
            if let known = pictures[Array(text.utf8)] { return known }
            let png = try painter.png(of: Picture(drawing(quote(text)).layout, on: display))
            pictures[Array(text.utf8)] = png
            return png
        }

        private func quote(_ text: String) -> Content { Sample.quote(text) }

        private func drawing(_ content: Content) -> Drawing {
            let moment = WidgetMoment(
                definition: WidgetDefinition(kind: .quote),
                interaction: InteractionState(),
                instant: Instant(milliseconds: 1_795_000_000_000)
            )
            guard let bytes = try? WireJSON.encode(content),
                let digest = ContentDigest(rawValue: SHA256.hexDigest(of: bytes))
            else { preconditionFailure("a content has a form on the wire") }
            return renderer.draw(DrawingOrder(shown: .content(content, digest), moment: moment, display: display))
        }
    }

    /// The characters of `Default_Ignorable_Code_Point`; most of plane 14 is not assigned, and only its beginning is used.
    private static let ignorable = (UInt32(0x80)...0xE01EF).compactMap(Unicode.Scalar.init)
        .filter(\.properties.isDefaultIgnorableCodePoint)

    /// Texts whose bar is replaced by an invisible character.
    private static let contexts = [
        "Wort|teil am Rand", "Ende|", "Auf|lage", "100|% 5", "של|ום עולם", "سل|ام", "ور|د", "क्|ष", "ক|খ", "☀| Sonne",
        "漢|字", "Hel|lo שלום x", "Hello| שלום x", "Hello |שלום x", "Hello שלום| x y", "שלום |עולם abc", "שלום| 12 abc",
        "abc سل|ام",
    ]

    /// Returns whether a character is tried in the context at an index: each is in the first context, most also in others.
    private static func isTried(_ scalar: Unicode.Scalar, inContext number: Int) -> Bool {
        if scalar.value >= 0xE0000 {
            return scalar.value % (number == 0 ? TestExtent.of(7, nightly: 1) : 61) == 0
        }
        return number == 0 || (Int(scalar.value) + number) % TestExtent.of(7, nightly: 1) == 0
    }

    // A character that is dropped makes no news, even if fonts show it as a box.
    @Test(arguments: TestExtent.some(of: contexts, each: 2))
    func anInvisibleCharacterThatIsKeptChangesPixels(context: String) throws {
        let drawings = try Drawings()
        let number = Self.contexts.firstIndex(of: context) ?? 0
        var wrong: [String] = []
        for scalar in Self.ignorable where Self.isTried(scalar, inContext: number) {
            let with = context.replacingOccurrences(of: "|", with: String(scalar), options: .literal)
            let without = context.replacingOccurrences(of: "|", with: "", options: .literal)
            let comparison = try drawings.compare(with, without)
            // Marks of direction separate Arabic letters that join, and those of Devanagari.
            let joins = context.unicodeScalars.contains { (0x600...0x97F).contains($0.value) }
            let isOrder = scalar.properties.isBidiControl && !joins
            let isWrong = comparison.haveEqualPixels != comparison.areNoData
            if isWrong, comparison.haveEqualPixels || isOrder { wrong.append(comparison.words(scalar)) }
        }
        #expect(wrong.isEmpty, "\(wrong)")
    }

    @Test(arguments: [
        ("👩\u{200D}💻", "👩💻"), ("می\u{200C}خواهم", "میخواهم"), ("क्\u{200C}ष", "क्ष"), ("क्\u{200D}ष", "क्ष"),
        ("☀\u{FE0F}", "☀"), ("a\u{202E}bc", "abc"), ("1 \u{200F}2-3 a", "1 2-3 a"),
        ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "\u{1F3F4}"),
    ])
    func aCharacterWithAnEffectIsKept(with: String, without: String) throws {
        #expect(Array(VisibleText.normalized(with).unicodeScalars) == Array(with.unicodeScalars))
        #expect(VisibleText.normalized(without) == without)
    }

    @Test(arguments: [
        ("a\u{200B}b", "ab"), ("a\u{200C}b\u{200D}c", "abc"), ("\u{FEFF}a\u{2060}b", "ab"), ("a\u{200E}b", "ab"),
        ("a\u{202A}b\u{202C}c", "abc"), ("a\u{2067}b\u{2069}c", "abc"), ("☀\u{FE0E}", "☀"), ("x\u{FE0F}", "x"),
        ("\u{212B}", "\u{C5}"), ("e\u{301}", "\u{E9}"), ("\u{200B}", "\u{200B}"), ("שלום\u{200F}", "שלום"),
    ])
    func aCharacterWithoutAnEffectIsDropped(text: String, stored: String) {
        let normalized = VisibleText.normalized(text)
        #expect(Array(normalized.unicodeScalars) == Array(stored.unicodeScalars))
        #expect(VisibleText.normalized(normalized) == normalized)
    }

    @Test(arguments: [
        ("Hello \u{2068}שלום\u{2069} x", "Hello שלום x"), ("Hel\u{200F}lo שלום", "Hello שלום"),
        ("שלום \u{200F}עולם abc", "שלום עולם abc"), ("Hello שלום x\u{200E} y", "Hello שלום x y"),
        ("a \u{2067}שלום\u{2069}", "a שלום"), ("a\u{200E}\u{200E}b שלום", "ab שלום"),
    ])
    func aMarkWithoutAnEffectBesideBothDirectionsIsDropped(text: String, stored: String) throws {
        #expect(Array(VisibleText.normalized(text).unicodeScalars) == Array(stored.unicodeScalars))
        #expect(try Drawings().compare(text, stored).haveEqualPixels)
    }

    @Test(arguments: [
        ("שלום (abc)\u{200E}!", "שלום (abc)!"), ("abc שלום!\u{200F} de", "abc שלום! de"),
        ("\u{200F}abc שלום", "abc שלום"), ("5 \u{200F}+ abc של", "5 + abc של"),
        ("abc שלום\u{200E} עולם", "abc שלום עולם"), ("שלום abc \u{2067}def\u{2069} גד", "שלום abc def גד"),
    ])
    func aMarkWithAnEffectBesideBothDirectionsIsKept(with: String, without: String) throws {
        let isKept = Array(VisibleText.normalized(with).unicodeScalars) == Array(with.unicodeScalars)
        #expect(try isKept || Drawings().compare(with, without).haveEqualPixels)
        #expect(isKept)
    }

    // The time for a text must not grow with the square of its length.
    @Test(.timeLimit(.minutes(1)), arguments: ["\u{200C}", "\u{200F}", "\u{2067}", "\u{200D}", "\u{2067}a\u{2069}"])
    func aTextOfInvisibleCharactersTakesNoLongerThanOthers(character: String) {
        let text = "a" + String(repeating: character, count: 200_000) + "b ש"
        #expect(!VisibleText.normalized(text).isEmpty)
    }

    // Bytes decide for most scripts whether a text is in the stored form.
    @Test(arguments: ["", "a", "\u{1100}", "\u{AC00}", "か", "ا", "א", "α"])
    func aVisibleCharacterIsStoredInNormalizationFormC(before: String) {
        let wrong = (UInt32(0x80)..<0x20000).compactMap(Unicode.Scalar.init).filter { scalar in
            guard !scalar.properties.isDefaultIgnorableCodePoint, !(0xF900...0xFAFF).contains(scalar.value) else {
                return false
            }
            let text = before + String(scalar)
            return !VisibleText.normalized(text).utf8.elementsEqual(text.precomposedStringWithCanonicalMapping.utf8)
        }
        #expect(wrong.isEmpty)
    }

    // Fonts lack some of the forms, and draw others in their place.
    @Test func twoFormsOfACharacterAreNoData() throws {
        let drawings = try Drawings()
        let composed = (UInt32(0xC0)..<0x2F800).compactMap(Unicode.Scalar.init).filter { scalar in
            // Compatibility ideographs stay, because fonts draw them differently.
            if (0xF900...0xFAFF).contains(scalar.value) { return false }
            if (0xAC00...0xD7A3).contains(scalar.value), !scalar.value.isMultiple(of: 10) { return false }
            return String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.first != scalar
        }
        #expect(composed.count > 2000)
        let wrong = composed.filter { scalar in
            let (given, apart) = ("Ein \(scalar).", "Ein \(scalar).".decomposedStringWithCanonicalMapping)
            return !drawings.areNoData(given, apart)
        }
        #expect(wrong.isEmpty)
    }
}
