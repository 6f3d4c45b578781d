// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import LayoutEngine
import WidgetSchema

/// A widget with texts of one length, on one kind of display, at all text sizes.
struct TextSizeSeries: Sendable {
    /// The numbers of characters of a title, a quote or a fact.
    static let lengths = [
        5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 140, 160, 180, 210, 240, 280, 330, 400, 500,
    ]

    let name: String
    /// The samples in ascending order of their text sizes.
    let items: [Gallery.Item]

    /// Returns the series of all kinds, lengths and families, on some devices and panels.
    static func all(
        lengths: [Int] = lengths,
        devices: [DeviceProfile] = Gallery.devices,
        panels: [Gallery.Panel] = Gallery.panels
    ) -> [TextSizeSeries] {
        WidgetKind.allCases.flatMap { kind in
            // A forecast has no texts of its own.
            (kind == .forecast ? [0] : lengths).flatMap { length in
                devices.flatMap { series(kind, length, on: $0) } + panels.compactMap { series(kind, length, on: $0) }
            }
        }
    }

    private static func series(_ kind: WidgetKind, _ length: Int, on device: DeviceProfile) -> [TextSizeSeries] {
        let today = Gallery.modes.map { mode in
            series(kind, length) { Gallery.today(kind, mode, $0, device, .light) }
        }
        let others = Gallery.otherFamilies.map { family in
            series(kind, length) { Gallery.other(kind, family, $0, device, .light) }
        }
        return (today + others).compactMap(\.self)
    }

    private static func series(_ kind: WidgetKind, _ length: Int, on panel: Gallery.Panel) -> TextSizeSeries? {
        series(kind, length) { size in
            panel.sizes.last.map { size <= $0 } ?? false ? Gallery.panel(kind, panel, size) : nil
        }
    }

    private static func series(
        _ kind: WidgetKind,
        _ length: Int,
        _ item: (ContentSizeCategory) -> Gallery.Item?
    ) -> TextSizeSeries? {
        var items: [Gallery.Item] = []
        for size in ContentSizeCategory.allCases {
            guard let item = item(size) else { continue }
            var sample = item.sample
            if length > 0 { sample.content = content(kind, length) }
            items.append(Gallery.Item(sample: sample, language: item.language))
        }
        guard let display = items.first?.display.name.rawValue else { return nil }
        return TextSizeSeries(name: "\(kind.rawValue)-\(display)-\(length)", items: items)
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

    private static func content(_ kind: WidgetKind, _ length: Int) -> Content? {
        func title(_ index: Int) -> String { text(length, from: index * 11) }
        let date = SampleContents.instant
        switch kind {
        case .forecast: return nil
        case .quote:
            let quote = Quote(text: title(0), author: "Marta Lindqvist", source: "Letters from the Harbour")
            return .quote(QuoteContent(quotes: [quote]))
        case .keyValue:
            return .keyValue(KeyValueContent(pairs: [KeyValuePair(key: "City", value: title(0))]))
        case .feed:
            let items = (0..<6).map {
                FeedItem(id: "\($0)", title: title($0), author: "Marta Lindqvist", published: date)
            }
            return .feed(FeedContent(items: items))
        case .documents:
            let documents = (0..<4).map { RecentDocument(id: "\($0)", title: title($0), openedAt: date) }
            return .documents(DocumentsContent(documents: documents))
        case .json:
            let rows = (0..<6).map {
                ContentRow(id: "\($0)", title: .text(title($0)), subtitle: .text("Marta Lindqvist"), date: date)
            }
            return .json(RowsContent(rows: rows))
        }
    }
}
