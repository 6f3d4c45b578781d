// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The normalised value that a parsing produces from a document.
///
/// In messages with the events `fetched` and `refreshed`, the JSON of the content is in a separate frame.
public enum Content: Hashable, Sendable {
    case feed(FeedContent)
    case keyValue(KeyValueContent)
    case forecast(ForecastContent)
    case quote(QuoteContent)
    case documents(DocumentsContent)
    case json(RowsContent)

    public var kind: WidgetKind {
        switch self {
        case .feed: .feed
        case .keyValue: .keyValue
        case .forecast: .forecast
        case .quote: .quote
        case .documents: .documents
        case .json: .json
        }
    }

    /// The number of items, facts, days, quotes, documents or rows, depending on the kind.
    public var count: Int {
        switch self {
        case .feed(let feed): feed.items.count
        case .keyValue(let facts): facts.pairs.count
        case .forecast(let forecast): forecast.days.count
        case .quote(let quotes): quotes.quotes.count
        case .documents(let recent): recent.documents.count
        case .json(let list): list.rows.count
        }
    }

    /// The keys of the facts in their order; nil if the kind is not `keyValue`.
    public var keys: [String]? {
        guard case .keyValue(let facts) = self else { return nil }
        return facts.pairs.map(\.key)
    }

    /// A Boolean value that indicates whether hosts should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool? {
        get {
            switch self {
            case .feed(let feed): feed.hasContent
            case .keyValue(let facts): facts.hasContent
            case .forecast(let forecast): forecast.hasContent
            case .quote(let quotes): quotes.hasContent
            case .documents(let recent): recent.hasContent
            case .json(let list): list.hasContent
            }
        }
        set {
            switch self {
            case .feed(var feed):
                feed.hasContent = newValue
                self = .feed(feed)
            case .keyValue(var facts):
                facts.hasContent = newValue
                self = .keyValue(facts)
            case .forecast(var forecast):
                forecast.hasContent = newValue
                self = .forecast(forecast)
            case .quote(var quotes):
                quotes.hasContent = newValue
                self = .quote(quotes)
            case .documents(var recent):
                recent.hasContent = newValue
                self = .documents(recent)
            case .json(var list):
                list.hasContent = newValue
                self = .json(list)
            }
        }
    }

    /// A Boolean value that indicates whether the content has nothing that a widget could show.
    public var isEmpty: Bool { count == 0 }
}

extension Content: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind
        case feed
        case keyValue
        case forecast
        case quote
        case documents
        case json
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(WidgetKind.self, forKey: .kind) {
        case .feed: self = .feed(try container.decode(FeedContent.self, forKey: .feed))
        case .keyValue: self = .keyValue(try container.decode(KeyValueContent.self, forKey: .keyValue))
        case .forecast: self = .forecast(try container.decode(ForecastContent.self, forKey: .forecast))
        case .quote: self = .quote(try container.decode(QuoteContent.self, forKey: .quote))
        case .documents: self = .documents(try container.decode(DocumentsContent.self, forKey: .documents))
        case .json: self = .json(try container.decode(RowsContent.self, forKey: .json))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        switch self {
        case .feed(let feed): try container.encode(feed, forKey: .feed)
        case .keyValue(let facts): try container.encode(facts, forKey: .keyValue)
        case .forecast(let forecast): try container.encode(forecast, forKey: .forecast)
        case .quote(let quotes): try container.encode(quotes, forKey: .quote)
        case .documents(let recent): try container.encode(recent, forKey: .documents)
        case .json(let list): try container.encode(list, forKey: .json)
        }
    }
}
