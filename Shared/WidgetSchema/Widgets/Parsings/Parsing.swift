// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A way to parse the document of a source: the kind of widget, with the options for parsing.
///
/// Widgets that have the same source and equal parsings share one content.
public enum Parsing: Hashable, Sendable {
    case feed(FeedParsing)
    case keyValue(KeyValueParsing)
    case forecast(ForecastParsing)
    case quote
    case documents
    /// Rows; with nil, only a document in the form of content on the bus can be parsed.
    case json(RowsParsing?)
    /// Options with an error, such as an option of a later version; no document can be parsed.
    case invalid(WidgetKind, options: [String: String], ParsingOptionError)

    /// Decodes options from their texts; the result is `invalid` if they have an error.
    public init(kind: WidgetKind, options: [String: String] = [:]) {
        do throws(ParsingOptionError) {
            // If an unknown option were ignored, ``key`` would promise a content that was made with it.
            if let name = options.keys.sorted().first(where: { !kind.hasParsingOption($0) }) {
                throw ParsingOptionError(option: name, "kind \(kind.rawValue) has no such option")
            }
            switch kind {
            case .feed: self = .feed(try FeedParsing(options: options))
            case .keyValue: self = .keyValue(try KeyValueParsing(options: options))
            case .forecast: self = .forecast(try ForecastParsing(options: options))
            case .quote: self = .quote
            case .documents: self = .documents
            case .json: self = .json(options.isEmpty ? nil : try RowsParsing(options: options))
            }
        } catch {
            self = .invalid(kind, options: options, error)
        }
    }

    public var kind: WidgetKind {
        switch self {
        case .feed: .feed
        case .keyValue: .keyValue
        case .forecast: .forecast
        case .quote: .quote
        case .documents: .documents
        case .json: .json
        case .invalid(let kind, _, _): kind
        }
    }

    /// The options as texts, as messages and ``key`` contain them.
    public var options: [String: String] {
        switch self {
        case .feed(let parsing): parsing.options
        case .keyValue(let parsing): parsing.options
        case .forecast(let parsing): parsing.options
        case .quote, .documents: [:]
        case .json(let parsing): parsing?.options ?? [:]
        case .invalid(_, let options, _): options
        }
    }

    /// The id of this parsing within its source, such as `feed` or `json;list=/items;title=/name`.
    ///
    /// It names stored contents, so it never changes. `%`, `;` and `=` in names and values are percent-encoded
    /// (RFC 3986, section 2.1).
    public var key: String {
        let options = options.sorted { $0.key < $1.key }.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
        return ([kind.rawValue] + options).joined(separator: ";")
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x25, 0x3B, 0x3D].contains($0) }) else { return text }
        return text.reduce(into: "") { escaped, character in
            switch character {
            case "%": escaped += "%25"
            case ";": escaped += "%3B"
            case "=": escaped += "%3D"
            default: escaped.append(character)
            }
        }
    }
}

extension Parsing: Codable {
    private enum CodingKeys: CodingKey { case kind, options }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            kind: try container.decode(WidgetKind.self, forKey: .kind),
            options: try container.decode([String: String].self, forKey: .options)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(options, forKey: .options)
    }
}

extension WidgetKind {
    /// The names of the options for parsing content of this kind.
    ///
    /// The name `value.` stands for all names with this prefix, such as `value.000`.
    public var parsingOptions: [String] {
        switch self {
        case .feed: ["incomplete", "order"]
        case .quote, .documents: []
        case .keyValue: [KeyValueParsing.optionPrefix]
        case .forecast: ["timeZone"]
        case .json:
            ["list", "title", "titleFormat", "subtitle", "subtitleFormat", "link", "date", "dateFormat", "id"]
        }
    }

    public func hasParsingOption(_ name: String) -> Bool {
        parsingOptions.contains { $0 == name || ($0.hasSuffix(".") && name.hasPrefix($0)) }
    }
}
