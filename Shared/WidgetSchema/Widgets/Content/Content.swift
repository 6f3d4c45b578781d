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
    public var count: Int { value.count }

    /// The keys of the facts in their order; nil if the kind is not `keyValue`.
    public var keys: [String]? {
        guard case .keyValue(let facts) = self else { return nil }
        return facts.pairs.map(\.key)
    }

    /// A Boolean value that indicates whether displays should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool? {
        get { value.hasContent }
        set {
            var changed = value
            changed.hasContent = newValue
            self = changed.content
        }
    }

    /// A Boolean value that indicates whether the content has nothing that a widget could show.
    public var isEmpty: Bool { count == 0 }

    var value: any ContentOfKind {
        switch self {
        case .feed(let feed): feed
        case .keyValue(let facts): facts
        case .forecast(let forecast): forecast
        case .quote(let quotes): quotes
        case .documents(let recent): recent
        case .json(let list): list
        }
    }
}

/// The content of one kind.
protocol ContentOfKind: Codable, Hashable, Sendable {
    var hasContent: Bool? { get set }
    var count: Int { get }
    var content: Content { get }

    /// Adds the problems in content that a client sent to a report.
    func report(to report: inout FaultReport)
}

extension Content: Codable {
    private static let kindKey = StringCodingKey(stringValue: "kind")

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: StringCodingKey.self)
        let kind = try container.decode(WidgetKind.self, forKey: Self.kindKey)
        let key = StringCodingKey(stringValue: kind.rawValue)
        switch kind {
        case .feed: self = .feed(try container.decode(FeedContent.self, forKey: key))
        case .keyValue: self = .keyValue(try container.decode(KeyValueContent.self, forKey: key))
        case .forecast: self = .forecast(try container.decode(ForecastContent.self, forKey: key))
        case .quote: self = .quote(try container.decode(QuoteContent.self, forKey: key))
        case .documents: self = .documents(try container.decode(DocumentsContent.self, forKey: key))
        case .json: self = .json(try container.decode(RowsContent.self, forKey: key))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: StringCodingKey.self)
        try container.encode(kind, forKey: Self.kindKey)
        try container.encode(value, forKey: StringCodingKey(stringValue: kind.rawValue))
    }
}
