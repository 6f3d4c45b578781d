// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The answer of a source to one poll.
struct Poll {
    var time: Instant
    /// The bytes that the source sent, including those that no widget reads.
    var body: String
    var content: Content
    /// The items of the content with all their fields, in the source's order.
    var items: [String]
    /// A digest that differs for each content.
    var digest: ContentDigest
}

/// A source that changes as sources of its kind do; the same seed gives the same year.
struct Traffic {
    private static let start = Instant(year: 2026, month: 1, day: 1, millisecondsOfDay: 0)
    private static let hourMilliseconds: Int64 = 3_600_000

    private let kind: WidgetKind
    private var random: Random
    private var hour: Int64 = -1
    private var serial = 0
    /// A part of the body that no widget reads: a time of generation, counters, tokens.
    private var noise = 0
    private var feed: [FeedItem] = []
    private var pairs: [KeyValuePair] = []
    private var days: [ForecastDay] = []
    private var quotes: [Quote] = []
    private var documents: [RecentDocument] = []
    private var rows: [(name: String, value: Double, share: Double)] = []

    init(kind: WidgetKind, seed: UInt64) {
        self.kind = kind
        random = Random(state: seed &+ UInt64(kind.rawValue.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
    }

    /// Returns the answer one hour after the one before.
    mutating func poll() throws -> Poll {
        hour += 1
        let now = Self.start.advanced(byMilliseconds: hour * Self.hourMilliseconds)
        let (content, items) = step(now)
        if random.chance(noiseRate) { noise += 1 }
        guard let digest = ContentDigest(rawValue: String(repeating: "0", count: 48) + Self.hash(items)) else {
            throw CocoaError(.featureUnsupported)
        }
        return Poll(
            time: now,
            body: items.joined(separator: "\n") + "\n\(noise)",
            content: content,
            items: items,
            digest: digest
        )
    }

    /// The share of polls whose body differs in a part that no widget reads.
    private var noiseRate: Double {
        switch kind {
        case .forecast: 1
        case .keyValue: 0.9
        case .json: 0.6
        case .feed: 0.3
        case .documents: 0.2
        case .quote: 0.05
        }
    }

    private mutating func step(_ now: Instant) -> (Content, [String]) {
        switch kind {
        case .feed: stepFeed(now)
        case .keyValue: stepPairs()
        case .forecast: stepForecast(now)
        case .quote: stepQuotes()
        case .documents: stepDocuments(now)
        case .json: stepRows()
        }
    }

    // MARK: Kinds

    /// A blog: a post a day, corrections of old posts, summaries and trackers in links that change.
    private mutating func stepFeed(_ now: Instant) -> (Content, [String]) {
        while feed.count < 20 || random.chance(1.0 / 24) {
            serial += 1
            let minutes = Int64(random.number(60))
            feed.insert(
                FeedItem(
                    id: "\(serial)",
                    title: random.text(3 + random.number(8)),
                    author: random.text(2),
                    published: now.advanced(byMilliseconds: -minutes * 60_000),
                    link: "https://example.org/\(serial)",
                    summary: random.text(20)
                ),
                at: 0
            )
        }
        feed = Array(feed.prefix(20))
        let index = random.number(feed.count)
        if random.chance(0.05) { feed[index].summary = random.text(20) }
        if random.chance(0.02) { feed[index].title = random.text(6) }
        if random.chance(0.02) {
            feed[index].link = "https://example.org/\(feed[index].id)?from=\(random.number(1000))"
        }
        if random.chance(0.002) { feed.removeFirst() }
        let items = feed.map { "\($0.id)|\($0.title)|\($0.author ?? "")|\($0.link ?? "")|\($0.summary ?? "")" }
        return (.feed(FeedContent(title: "A blog", items: feed)), items)
    }

    /// Measurements of an instrument: all are sent, and a widget shows one.
    private mutating func stepPairs() -> (Content, [String]) {
        if pairs.isEmpty { pairs = (0..<8).map { KeyValuePair(key: "Value \($0)", value: "\(10 + $0)") } }
        for index in pairs.indices where random.chance(index == 0 ? 0.08 : 0.3) {
            pairs[index].value = "\(10 + index + random.number(5))"
        }
        return (.keyValue(KeyValueContent(pairs: pairs)), pairs.map { "\($0.key)=\($0.value)" })
    }

    /// A model that is computed each hour: most of its numbers differ by less than a degree.
    private mutating func stepForecast(_ now: Instant) -> (Content, [String]) {
        let today = LocalDays.utc.date(at: now)
        days.removeAll { $0.date < today }
        while days.count < 7 {
            let date = today.advanced(byDays: days.count)
            let low = 2 + Double(random.number(10))
            days.append(ForecastDay(date: date, condition: .cloudy, low: low, high: low + 3 + Double(random.number(8))))
        }
        let conditions: [WeatherCondition] = [.clear, .partlyCloudy, .cloudy, .rain, .rainShowers, .thunderstorm]
        for index in days.indices {
            days[index].low = (days[index].low ?? 0) + random.signed() * 0.3
            days[index].high = (days[index].high ?? 0) + random.signed() * 0.3
            if random.chance(0.03) { days[index].condition = conditions[random.number(conditions.count)] }
        }
        let items = days.map { "\($0.date)|\($0.condition.rawValue)|\($0.low ?? 0)|\($0.high ?? 0)" }
        return (.forecast(ForecastContent(days: days)), items)
    }

    /// A list of quotes, of which a widget shows one each day.
    private mutating func stepQuotes() -> (Content, [String]) {
        while quotes.count < 400 { quotes.append(Quote(text: random.text(10), author: random.text(2))) }
        if random.chance(0.02) { quotes[random.number(quotes.count)].text = random.text(12) }
        return (.quote(QuoteContent(quotes: quotes)), quotes.map { "\($0.text)|\($0.author ?? "")" })
    }

    /// An editor that saves by itself: the time of the open document changes much more often than the list.
    private mutating func stepDocuments(_ now: Instant) -> (Content, [String]) {
        while documents.count < 12 {
            serial += 1
            documents.append(
                RecentDocument(id: "\(serial)", title: random.text(4), link: "editor://\(serial)", openedAt: now)
            )
        }
        if random.chance(0.3) { documents[0].openedAt = now }
        if random.chance(0.12) {
            var document = documents.remove(at: random.number(documents.count))
            document.openedAt = now
            documents.insert(document, at: 0)
        }
        if random.chance(0.01) { documents[random.number(documents.count)].title = random.text(4) }
        let items = documents.map { "\($0.id)|\($0.title)|\($0.openedAt?.description ?? "")" }
        return (.documents(DocumentsContent(documents: documents)), items)
    }

    /// Counters of an API, which a widget rounds.
    private mutating func stepRows() -> (Content, [String]) {
        while rows.count < 10 {
            let number = Double(rows.count)
            rows.append((name: "Server \(rows.count)", value: 1e9 + number, share: 0.2 + 0.05 * number))
        }
        for index in rows.indices {
            rows[index].value += Double(random.number(2_000_000))
            if random.chance(0.4) { rows[index].share = min(1, max(0, rows[index].share + random.signed() * 0.004)) }
        }
        let content = rows.map { row in
            ContentRow(
                id: row.name,
                title: .text(row.name),
                subtitle: .number(RowNumber(row.share, .percent))
            )
        }
        return (.json(RowsContent(rows: content)), rows.map { "\($0.name)|\($0.value)|\($0.share)" })
    }

    /// Returns 16 hexadecimal digits that depend on all texts (FNV-1a).
    private static func hash(_ texts: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in texts {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 10) &* 0x100_0000_01B3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A random number generator with a seed (SplitMix64).
struct Random {
    var state: UInt64

    private static let words = [
        "harbour", "Überraschung", "signal", "market", "river", "council", "Grüße", "engine", "library", "evening",
        "discovers", "opens", "closes", "repairs", "measures", "東京", "forgets", "returns", "quietly", "again",
    ]

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func chance(_ probability: Double) -> Bool { Double(next() >> 11) / Double(1 << 53) < probability }

    /// Returns a number from -1 to 1.
    mutating func signed() -> Double { Double(next() >> 11) / Double(1 << 52) - 1 }

    mutating func text(_ words: Int) -> String {
        (0..<words).map { _ in Self.words[number(Self.words.count)] }.joined(separator: " ")
    }
}
