// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Contents as people see them, in one language each, for every kind of widget.
///
/// Texts of all lengths: one letter, long words that have to be broken, emoji, and other scripts among the letters.
enum SampleContents {
    /// 21 November 2026, 13:49 GMT.
    static let instant = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 49_756_000)

    /// The time since which stale contents of the gallery are stale: the evening before.
    static let lastSuccess = Instant(year: 2026, month: 11, day: 20, millisecondsOfDay: 66_600_000)

    static func content(_ kind: WidgetKind, in language: SampleLanguage) -> Content {
        switch kind {
        case .feed: .feed(FeedContent(title: "Tidings", items: posts(language)))
        case .keyValue: .keyValue(KeyValueContent(pairs: [texts(language).fact]))
        case .forecast: .forecast(ForecastContent(days: days))
        case .quote: .quote(QuoteContent(quotes: [texts(language).quote]))
        case .documents: .documents(DocumentsContent(documents: documents(language)))
        case .json: .json(RowsContent(rows: rows(language)))
        }
    }

    static func definition(_ kind: WidgetKind, in language: SampleLanguage) -> WidgetDefinition {
        var definition = WidgetDefinition(kind: kind, name: "Lighthouse")
        if kind == .documents { definition.actions = actions(language) }
        return definition
    }

    /// The texts of one language in `Fixtures/samples.json`.
    private struct Texts: Decodable {
        struct Post: Decodable {
            var title: String
            var author: String?
        }

        var posts: [Post]
        var fact: KeyValuePair
        var quote: Quote
        var documents: [String]
        var actions: [String]
        var rows: [String]
    }

    private static let file = Result {
        try JSONDecoder().decode([String: Texts].self, from: Data(PackageResources.samples_json))
    }

    private static func texts(_ language: SampleLanguage) -> Texts {
        guard let texts = try? file.get()["\(language)"] else {
            preconditionFailure("samples.json has no texts in \(language): \(file)")
        }
        return texts
    }

    private static func ago(hours: Int64) -> Instant { instant.advanced(byMilliseconds: -hours * 3_600_000) }

    // MARK: Feed

    private static func posts(_ language: SampleLanguage) -> [FeedItem] {
        texts(language).posts.enumerated().map { index, text in
            FeedItem(
                id: "post-\(index)",
                title: text.title,
                author: text.author,
                published: ago(hours: Int64(index) * 31 + 2),
                link: "https://example.org/posts/\(index)"
            )
        }
    }

    // MARK: Forecast

    private static var days: [ForecastDay] {
        let first = LocalDays(.gmt).date(at: instant)
        let weather: [(WeatherCondition, Double?, Double?)] = [
            (.partlyCloudy, 4.2, 11.8), (.rainShowers, 6, 9.4), (.thunderstorm, -11, -3), (.heavySnow, -12.5, -8.8),
            (.clear, -0.4, 38), (.fog, 2, 7),
        ]
        return weather.enumerated().map { index, day in
            ForecastDay(date: first.advanced(byDays: index), condition: day.0, low: day.1, high: day.2)
        }
    }

    // MARK: Documents

    private static func documents(_ language: SampleLanguage) -> [RecentDocument] {
        let icons = ["doc.richtext", "tablecells", nil, "no.such.symbol", "doc.text"]
        return texts(language).documents.enumerated().map { index, title in
            RecentDocument(
                id: "document-\(index)",
                title: title,
                link: "exampleapp://documents/\(index)",
                openedAt: ago(hours: Int64(index) * 17),
                icon: icons[index]
            )
        }
    }

    private static func actions(_ language: SampleLanguage) -> [QuickAction] {
        zip(texts(language).actions, ["square.and.pencil", "doc.viewfinder", "magnifyingglass"]).map { title, icon in
            QuickAction(title: title, icon: icon, url: "exampleapp://\(icon)")
        }
    }

    // MARK: Rows

    private static func rows(_ language: SampleLanguage) -> [ContentRow] {
        let values: [RowValue] = [
            .number(RowNumber(0.9375, .percent)), .number(RowNumber(1_234_567, .bytes)), .text("ok"),
            .number(RowNumber(-1234.5, .decimal)), .date(ago(hours: 90)),
        ]
        return texts(language).rows.enumerated().map { index, title in
            ContentRow(
                id: "row-\(index)",
                title: .text(title),
                subtitle: values[index],
                date: index == 2 ? nil : ago(hours: Int64(index) * 5),
                link: "https://example.org/builds/\(index)"
            )
        }
    }
}
