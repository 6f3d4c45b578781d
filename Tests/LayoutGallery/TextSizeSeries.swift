// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A widget with texts of one length, on one kind of display, at all text sizes.
struct TextSizeSeries: Sendable {
    /// The numbers of characters of a title, a quote or a fact.
    static let lengths = [5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 140, 160, 180, 210, 240, 280, 330, 400, 500]

    /// The numbers of characters of the name of an author, a source or a fact, from a letter to a whole address.
    static let nameLengths = [1, 5, 10, 18, 26, 34, 42, 54, 66, 78, 90]

    /// The numbers of characters of the texts in a widget.
    struct Lengths: Sendable {
        /// The length of a title, a quote or a fact.
        let title: Int
        /// The length of the name of an author or a fact, and of a subtitle; nil for a usual name.
        var name: Int?
        /// The length of the source of a quote; nil for a usual source, and 0 for none.
        var source: Int?

        /// The lengths as a part of a series' name.
        var words: String { ([title] + [name, source].compactMap(\.self)).map(String.init).joined(separator: "-") }
    }

    let name: String
    /// The samples in ascending order of their text sizes.
    let items: [Gallery.Item]

    /// Returns the series of all kinds, lengths and families, on some devices.
    static func all(
        lengths: [Int] = lengths,
        devices: [DeviceProfile] = Gallery.devices
    ) -> [TextSizeSeries] {
        WidgetKind.allCases.flatMap { kind in
            // A forecast has no texts of its own.
            (kind == .forecast ? [0] : lengths).flatMap { series(kind, Lengths(title: $0), devices) }
        }
    }

    /// Returns the series of all kinds with names of all lengths below texts of some lengths.
    ///
    /// A quote has an author with a usual source, with a source of the same length, and without a source.
    static func withNames(
        lengths: [Int] = [20, 60, 120, 240],
        names: [Int] = nameLengths,
        devices: [DeviceProfile] = Gallery.devices
    ) -> [TextSizeSeries] {
        let kinds: [WidgetKind] = [.quote, .keyValue, .feed, .json]
        return kinds.flatMap { kind in
            lengths.flatMap { length in
                names.flatMap { name in
                    (kind == .quote ? [nil, name, 0] : [nil]).flatMap { source in
                        series(kind, Lengths(title: length, name: name, source: source), devices)
                    }
                }
            }
        }
    }

    private static func series(
        _ kind: WidgetKind,
        _ lengths: Lengths,
        _ devices: [DeviceProfile]
    ) -> [TextSizeSeries] {
        devices.flatMap { series(kind, lengths, on: $0) }
    }

    private static func series(_ kind: WidgetKind, _ lengths: Lengths, on device: DeviceProfile) -> [TextSizeSeries] {
        let today = Gallery.modes.map { mode in
            series(kind, lengths) { Gallery.item(kind, .today, mode, $0, device, .light) }
        }
        let others = Gallery.otherFamilies.map { family in
            series(kind, lengths) { Gallery.item(kind, family, nil, $0, device, .light) }
        }
        return (today + others).compactMap(\.self)
    }

    private static func series(
        _ kind: WidgetKind,
        _ lengths: Lengths,
        _ item: (ContentSizeCategory) -> Gallery.Item?
    ) -> TextSizeSeries? {
        var items: [Gallery.Item] = []
        for size in ContentSizeCategory.allCases {
            guard var item = item(size) else { continue }
            if lengths.title > 0 { item.sample.content = content(kind, lengths) }
            items.append(item)
        }
        guard let display = items.first?.display.name.rawValue else { return nil }
        return TextSizeSeries(name: "\(kind.rawValue)-\(display)-\(lengths.words)", items: items)
    }

    // MARK: Contents

    private static let words =
        """
        The ferry that leaves the old harbour at seven in the morning carries more bread than people and nobody in the town \
        minds because the baker on the island retired when the winter storms began and his daughter who repairs clocks and \
        radios for a living has no time for ovens although she still keeps the recipe for the dark loaf in a drawer beside \
        the tide tables and reads it aloud on the first evening of each year so that the children who never tasted it know \
        how long the dough must rest and why their grandparents always walked home so slowly along the sea wall with a warm \
        parcel under one arm and a lantern
        """.split(separator: " ").map(String.init)

    /// Returns a text of whole words with about `length` characters; `start` is the index of its first word.
    private static func text(_ length: Int, from start: Int) -> String {
        var text = ""
        var index = start
        while text.count < length {
            text += (text.isEmpty ? "" : " ") + words[index % words.count]
            index += 1
        }
        return text
    }

    /// Returns a text of `length` characters, or the usual one if the length is nil; `start` is the index of its first word.
    private static func name(_ length: Int?, usual: String, from start: Int) -> String {
        guard let length else { return usual }
        return text(length, from: start).prefix(length).trimmingCharacters(in: .whitespaces)
    }

    private static func content(_ kind: WidgetKind, _ lengths: Lengths) -> Content? {
        func title(_ index: Int) -> String { text(lengths.title, from: index * 11) }
        let author = name(lengths.name, usual: "Marta Lindqvist", from: 40)
        let date = SampleContents.instant
        switch kind {
        case .forecast: return nil
        case .quote:
            let source = name(lengths.source, usual: "Letters from the Harbour", from: 70)
            return .quote(QuoteContent(quotes: [Quote(text: title(0), author: author, source: source)]))
        case .keyValue:
            let key = name(lengths.name, usual: "City", from: 40)
            return .keyValue(KeyValueContent(pairs: [KeyValuePair(key: key, value: title(0))]))
        case .feed:
            let items = (0..<6).map { FeedItem(id: "\($0)", title: title($0), author: author, published: date) }
            return .feed(FeedContent(items: items))
        case .documents:
            let documents = (0..<4).map { RecentDocument(id: "\($0)", title: title($0), openedAt: date) }
            return .documents(DocumentsContent(documents: documents))
        case .json:
            let rows = (0..<6).map {
                ContentRow(id: "\($0)", title: .text(title($0)), subtitle: .text(author), date: date)
            }
            return .json(RowsContent(rows: rows))
        }
    }
}
