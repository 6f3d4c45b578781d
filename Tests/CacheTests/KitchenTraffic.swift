// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import TestSupport
import WidgetSchema

/// The origins of a kitchen's widgets: what they answer from request to request, from a seed.
///
/// Each document has something new in each answer that nobody sees: a time, or the parameters with which a publisher
/// tracks its readers.
struct KitchenTraffic {
    private struct Post {
        var number: Int
        var title: String
        var published: Instant
    }

    private static let posts = 12
    /// The index of the post whose title is edited, which no board shows.
    private static let edited = 11
    private static let hour: Int64 = 3_600_000
    private static let titles = [
        "The harbour library opens on Sundays", "New benches along the canal", "Trees for the square",
        "Night trains return to the central station, twice a week at first and daily in summer", "第50回読書会",
        "Parliament votes 312–298 to extend the rail subsidy", "Choir looks for tenors", "Chess club meets",
    ]

    private var random: SeededGenerator
    private var feed: [Post] = []
    private var answers = 0
    private var forecast = 0
    private var temperature = 200
    private var opened: [RecentDocument] = []
    /// The ends of the outages of the sources.
    private var outages: [SourceID: Instant] = [:]

    init(seed: UInt64, start: Instant) {
        random = SeededGenerator(seed: seed)
        for index in 0..<Self.posts {
            feed.append(
                post(Self.posts - index, published: start.advanced(byMilliseconds: -Int64(index + 1) * 5 * Self.hour))
            )
        }
    }

    private func post(_ number: Int, published: Instant) -> Post {
        Post(number: number, title: Self.titles[number % Self.titles.count] + " (\(number))", published: published)
    }

    /// Returns the outcome of a fetch, with the bytes of its content.
    mutating func outcome(of lease: Lease, at now: Instant) throws -> (Fetched, [ContentDigest: Data]) {
        var fetched = Fetched(lease: lease.id, result: .content, answeredAt: now)
        if outages[lease.source] == nil, random.chance(2) {
            outages[lease.source] = now.advanced(byMilliseconds: Int64.random(in: 1...60, using: &random) * Self.hour)
        }
        if let end = outages[lease.source] {
            if now < end {
                fetched.result = .failed
                fetched.failure = AttemptFailure(class: .transient, message: "no answer \(answers)", status: 503)
                return (fetched, [:])
            }
            outages[lease.source] = nil
        }
        if random.chance(8) {
            fetched.result = .failed
            fetched.failure = AttemptFailure(class: .transient, message: "overloaded", status: 503)
            return (fetched, [:])
        }
        if random.chance(15) {
            fetched.result = .notModified
            return (fetched, [:])
        }
        var contents: [ContentDigest: Data] = [:]
        answers += 1
        for parsing in lease.parsings {
            let text = document(parsing.kind, at: now)
            let body = SourceBody(Data(text.utf8), contentType: nil, documentURL: lease.url, received: now)
            let bytes = try WireJSON.encode(try SourceParser.parse(body, parsing: parsing))
            let digest = CacheFixture.digest(String(decoding: bytes, as: UTF8.self))
            contents[digest] = bytes
            fetched.contents.append(ContentReference(parsing: parsing.key, digest: digest))
            fetched.bodyDigest = CacheFixture.digest(text)
        }
        return (fetched, contents)
    }

    private mutating func document(_ kind: WidgetKind, at now: Instant) -> String {
        switch kind {
        case .feed: posts(at: now)
        case .forecast: weather(at: now)
        case .quote: quotes()
        default: facts()
        }
    }

    private mutating func posts(at now: Instant) -> String {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<10:
            feed.insert(post((feed.first?.number ?? 0) + 1, published: now), at: 0)
            feed.removeLast()
        case 10..<25: feed[Self.edited].title += "!"
        case 25..<27: feed[0].title = Self.titles.randomElement(using: &random) ?? ""
        default: break
        }
        let entries = feed.map { post in
            """
            <entry><id>tag:\(post.number)</id><title>\(post.title)</title><author><name>Ada</name></author>
            <link href="https://news.example/\(post.number)?utm_source=feed&amp;utm_campaign=\(answers)"/>
            <published>\(post.published)</published></entry>
            """
        }
        return """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>The Harbour Times</title><updated>\(now)</updated>
            \(entries.joined(separator: "\n"))</feed>
            """
    }

    /// Returns eight days in the format of Open-Meteo, beginning with the day before.
    private mutating func weather(at now: Instant) -> String {
        if random.chance(30) { forecast += Int.random(in: 1...40, using: &random) }
        let first = LocalDays.utc.date(at: now).advanced(byDays: -1)
        let days = (0..<8).map { first.advanced(byDays: $0) }
        func list(_ value: (Int) -> String) -> String {
            days.map { value($0.daysSince1970 + forecast) }.joined(separator: ", ")
        }
        return """
            {"generationtime_ms": 0.\(answers), "timezone": "GMT",
             "daily_units": {"time": "iso8601", "weather_code": "wmo code", "temperature_2m_max": "°C",
                             "temperature_2m_min": "°C"},
             "daily": {"time": [\(days.map { "\"\($0)\"" }.joined(separator: ", "))],
                       "weather_code": [\(list { "\([2, 3, 61, 3, 71, 0, 95, 1][$0 % 8])" })],
                       "temperature_2m_max": [\(list { "\($0 % 30).\($0 % 10)" })],
                       "temperature_2m_min": [\(list { "\($0 % 30 - 9).\($0 % 7)" })]}}
            """
    }

    private func quotes() -> String {
        let quotes = [
            ("Well begun is half done.", "Aristotle"), ("Nature does nothing in vain.", "Aristotle"),
            ("He who knows others is wise; he who knows himself is enlightened.", "Laozi"),
            ("Dripping water hollows out stone.", "Ovid"), ("Know thyself.", "Thales"),
        ]
        let list = quotes.map { #"{"text": "\#($0.0)", "author": "\#($0.1)"}"# }.joined(separator: ", ")
        return #"{"page": \#(answers), "quotes": [\#(list)]}"#
    }

    private mutating func facts() -> String {
        if random.chance(40) { temperature += Int.random(in: -3...3, using: &random) }
        return #"""
            {"living": "\#(temperature / 10).\#(abs(temperature % 10)) °C", "bedroom": "18.9 °C", "power": "342 W",
             "bins": "Paper", "uptime": \#(answers)}
            """#
    }

    /// Returns the documents after an app has opened one more, and whether displays should show the widget.
    mutating func openedDocuments(at now: Instant) -> (content: Content, hasContent: Bool?) {
        let number = Int.random(in: 0..<6, using: &random)
        opened.removeAll { $0.id == "\(number)" }
        let titles = ["Garden plan", "Letter to the landlord", "予算 2027", "Recipes", "Tax", "Packing list"]
        opened.insert(
            RecentDocument(id: "\(number)", title: titles[number], link: "editor://\(number)", openedAt: now),
            at: 0
        )
        if random.chance(5) { opened = [] }
        let hasContent: Bool? = random.chance(20) ? false : nil
        return (.documents(DocumentsContent(documents: opened)), hasContent)
    }
}
