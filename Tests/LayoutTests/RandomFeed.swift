// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import Layout

/// Numbers that look random and are the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Contents and displays as nobody would think of them.
struct RandomFeed {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let pieces = [
        "word ", "Überraschung ", "日本語の文章", "한국어 ", "שלום עולם ", "مرحبا ", "👨‍👩‍👧‍👦", "🇩🇪", "e\u{301}\u{302}\u{303}", "\n",
        "\r\n",
        "\u{0}", "\u{7}", "\u{1B}[31m", "\u{202E}", "\u{2066}", "\u{200B}", "\u{AD}", "\u{FEFF}", "\u{FFFD}",
        "\u{2028}",
        "\u{10FFFF}", "\u{E000}", "<b>&amp;", "ﷺ", "𝔘𝔫𝔦", "ก็", "\t", "\u{A0}", "Donaudampfschifffahrtsgesellschaft",
    ]

    mutating func text() -> String {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return ""
        case 1: return String(repeating: piece(), count: Int.random(in: 0..<3000, using: &generator))
        default: return (0..<Int.random(in: 0..<30, using: &generator)).map { _ in piece() }.joined()
        }
    }

    private mutating func piece() -> String { Self.pieces.randomElement(using: &generator) ?? "" }

    mutating func instant() -> Instant? {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: nil
        case 1: Instant(milliseconds: Int64.random(in: .min ... .max, using: &generator))
        case 2: [Instant(milliseconds: .min), Instant(milliseconds: .max)].randomElement(using: &generator)
        default: Instant(milliseconds: Int64.random(in: 0...2_000_000_000_000, using: &generator))
        }
    }

    mutating func content() -> Content {
        let count = [0, 1, 2, 3, 4, 7, 50].randomElement(using: &generator) ?? 1
        let items = (0..<count).map { index in
            FeedItem(
                id: "\(index)",
                title: text(),
                author: Bool.random(using: &generator) ? text() : nil,
                published: instant(),
                updated: instant(),
                link: Bool.random(using: &generator) ? "https://example.org/\(index)" : text(),
                summary: Bool.random(using: &generator) ? text() : nil
            )
        }
        return .feed(FeedContent(title: text(), items: items))
    }

    private mutating func length() -> Double {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: 0
        case 1: -5
        case 2:
            [Double.nan, .infinity, -.infinity, 1e300, Double.leastNonzeroMagnitude].randomElement(using: &generator)
                ?? 0
        case 3: Double.random(in: 0..<30, using: &generator)
        default: Double.random(in: 0..<700, using: &generator)
        }
    }

    private mutating func inset() -> Double { Int.random(in: 0..<3, using: &generator) == 0 ? length() / 10 : 0 }

    mutating func display() throws -> Display {
        let isClassic = Bool.random(using: &generator)
        let mode = [Display.Mode.compact, .expanded].randomElement(using: &generator)
        return Display(
            name: try Sample.name("any"),
            family: isClassic ? .todayClassic : .today,
            mode: isClassic ? nil : mode,
            width: length(),
            compactHeight: Bool.random(using: &generator) ? length() : 110,
            maximumHeight: length(),
            contentSizeCategory: ContentSizeCategory.allCases.randomElement(using: &generator) ?? .large,
            scale: Int.random(in: -1...4, using: &generator),
            insets: EdgeInsets(top: inset(), leading: inset(), bottom: inset(), trailing: inset()),
            locale: ["en_US", "de_DE", "ar_EG", "he_IL", "ja_JP", "fa_IR", "th_TH", "xx", ""].randomElement(
                using: &generator
            )
                ?? "",
            timeZone: ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Nowhere/Atall", ""].randomElement(using: &generator)
                ?? ""
        )
    }

    mutating func moment() -> WidgetMoment {
        WidgetMoment(
            definition: WidgetDefinition(
                kind: .feed,
                rows: RowLimits(
                    collapsed: Int.random(in: -1...10, using: &generator),
                    expanded: Int.random(in: -1...60, using: &generator)
                )
            ),
            interaction: InteractionState(expanded: Bool.random(using: &generator)),
            instant: Sample.instant
        )
    }

    /// A list of rows, as one was made from another by chance.
    mutating func rows(from old: [DrawnRow] = []) throws -> [DrawnRow] {
        var rows = old
        for _ in 0..<Int.random(in: 0..<8, using: &generator) {
            let digit = String(Int.random(in: 0..<3, using: &generator))
            guard let digest = ContentDigest(rawValue: String(repeating: digit, count: 64)) else { continue }
            if !rows.isEmpty, Bool.random(using: &generator) {
                let row = rows.remove(at: Int.random(in: rows.indices, using: &generator))
                if Bool.random(using: &generator) {
                    let place = Int.random(in: 0...rows.count, using: &generator)
                    rows.insert(DrawnRow(id: row.id, digest: digest), at: place)
                }
            } else {
                let id = "\(Int.random(in: 0..<1000, using: &generator))"
                guard !rows.contains(where: { $0.id == id }) else { continue }
                rows.insert(
                    DrawnRow(id: id, digest: digest),
                    at: Int.random(in: 0...rows.count, using: &generator)
                )
            }
        }
        return rows
    }
}
