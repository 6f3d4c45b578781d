// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import WidgetSchema

@testable import LayoutEngine

/// Contents and displays as nobody would think of them.
struct RandomWidget {
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

    private mutating func flip() -> Bool { Bool.random(using: &generator) }

    private mutating func link(_ index: Int) -> String {
        flip() ? ["https://example.org/\(index)", "editor://\(index)"][index % 2] : text()
    }

    mutating func content() -> Content {
        let counts = 0..<([0, 1, 2, 3, 4, 7, 50, 500].randomElement(using: &generator) ?? 1)
        switch WidgetKind.allCases.randomElement(using: &generator) ?? .feed {
        case .feed:
            let items = counts.map { index in
                FeedItem(
                    id: flip() ? "\(index)" : "same",
                    title: text(),
                    author: flip() ? text() : nil,
                    published: instant(),
                    updated: instant(),
                    link: link(index),
                    summary: flip() ? text() : nil
                )
            }
            return .feed(FeedContent(title: text(), items: items))
        case .keyValue:
            return .keyValue(KeyValueContent(pairs: counts.map { _ in KeyValuePair(key: text(), value: text()) }))
        case .forecast:
            let first = Int.random(in: 20_770...20_783, using: &generator)
            let days = counts.map { index in
                ForecastDay(
                    date: CalendarDate(daysSince1970: first + index),
                    condition: WeatherCondition.allCases.randomElement(using: &generator) ?? .unknown,
                    low: number(),
                    high: number()
                )
            }
            return .forecast(ForecastContent(days: days))
        case .quote:
            let quotes = counts.map { _ in
                Quote(text: text(), author: flip() ? text() : nil, source: flip() ? text() : nil)
            }
            return .quote(QuoteContent(quotes: quotes))
        case .documents:
            let documents = counts.map { index in
                RecentDocument(
                    id: "\(index)",
                    title: text(),
                    link: flip() ? link(index) : nil,
                    openedAt: instant(),
                    icon: flip() ? text() : nil
                )
            }
            return .documents(DocumentsContent(documents: documents))
        case .json:
            let rows = counts.map { index in
                ContentRow(
                    id: "\(index)",
                    title: value(),
                    subtitle: flip() ? value() : nil,
                    date: instant(),
                    link: flip() ? link(index) : nil
                )
            }
            return .json(RowsContent(rows: rows))
        }
    }

    private mutating func number() -> Double? {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: nil
        case 1: [Double.nan, .infinity, -1e300, 1e9, 9e18, 1e19].randomElement(using: &generator)
        default: Double.random(in: -60...60, using: &generator)
        }
    }

    private mutating func value() -> RowValue {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            .number(RowNumber(number() ?? 0, RowNumber.Format.allCases.randomElement(using: &generator) ?? .decimal))
        case 1: .date(instant() ?? Sample.instant)
        default: .text(text())
        }
    }

    private mutating func actions() -> [QuickAction]? {
        guard flip() else { return nil }
        return (0..<Int.random(in: 0..<7, using: &generator)).map { index in
            QuickAction(title: text(), icon: flip() ? "folder" : text(), url: link(index))
        }
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
        let family = Display.Family.allCases.randomElement(using: &generator) ?? .today
        let category = ContentSizeCategory.allCases.randomElement(using: &generator) ?? .large
        // Half of them are as devices have them.
        let device = DeviceProfile.all.randomElement(using: &generator)
        let proposal = flip() ? device?.proposal(for: family, at: category) : nil
        return Display(
            name: try Sample.name("any"),
            family: family,
            mode: family.hasModes ? Display.Mode.allCases.randomElement(using: &generator) : nil,
            width: proposal?.width ?? length(),
            compactHeight: proposal == nil ? (flip() ? length() : nil) : proposal?.compactHeight,
            maximumHeight: proposal?.maximumHeight ?? length(),
            contentSizeCategory: category,
            scale: Int.random(in: -1...4, using: &generator),
            insets: proposal?.insets
                ?? EdgeInsets(top: inset(), leading: inset(), bottom: inset(), trailing: inset()),
            locale: ["en_US", "de_DE", "ar_EG", "he_IL", "ja_JP", "fa_IR", "th_TH", "xx", ""]
                .randomElement(using: &generator) ?? "",
            timeZone: ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Nowhere/Atall", ""]
                .randomElement(using: &generator) ?? "",
            appearance: flip() ? .dark : .light,
            hourCycle: Display.HourCycle.allCases.randomElement(using: &generator)
        )
    }

    mutating func moment(_ kind: WidgetKind) -> WidgetMoment {
        WidgetMoment(
            definition: WidgetDefinition(
                kind: kind,
                rows: RowLimits(
                    collapsed: Int.random(in: -1...10, using: &generator),
                    expanded: Int.random(in: -1...60, using: &generator)
                ),
                name: flip() ? text() : nil,
                actions: actions(),
                insets: flip() ? InsetsOverride(top: inset(), trailing: inset()) : nil
            ),
            interaction: InteractionState(
                expanded: flip(),
                position: UInt32.random(in: 0...9, using: &generator),
                seed: UInt32.random(in: 0...9, using: &generator)
            ),
            instant: Sample.instant
        )
    }

    /// Returns `old` after at most seven random changes: removed, moved and inserted rows.
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
                rows.insert(DrawnRow(id: id, digest: digest), at: Int.random(in: 0...rows.count, using: &generator))
            }
        }
        return rows
    }
}
