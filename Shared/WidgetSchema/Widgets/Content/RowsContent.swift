// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Rows that a configuration selects from any JSON document, in the document's order.
public struct RowsContent: Codable, Hashable, Sendable {
    public static let maximumRows = 50

    public var rows: [ContentRow]

    /// A Boolean value that indicates whether displays should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool?

    public init(rows: [ContentRow], hasContent: Bool? = nil) {
        self.rows = rows
        self.hasContent = hasContent
    }
}

/// One row.
public struct ContentRow: Codable, Hashable, Sendable {
    /// The id, which is unique within the content and stays the same in later answers of the origin.
    public var id: String
    public var title: RowValue
    public var subtitle: RowValue?
    public var date: Instant?
    public var link: String?

    public init(id: String, title: RowValue, subtitle: RowValue? = nil, date: Instant? = nil, link: String? = nil) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.date = date
        self.link = link
    }
}

/// A value that is formatted in the language of the display that shows it.
public enum RowValue: Hashable, Sendable {
    public static let maximumTextCharacters = 300

    case text(String)
    case number(RowNumber)
    case date(Instant)
}

/// A number and its format.
public struct RowNumber: Codable, Hashable, Sendable {
    public enum Format: String, Codable, CaseIterable, Sendable {
        case decimal
        /// The value is a fraction, shown as a percentage: 0.5 is shown as 50 %.
        case percent
        /// The value is a number of bytes, shown in decimal units: 1000 is shown as 1 kB.
        case bytes
    }

    public var value: Double
    public var format: Format

    public init(_ value: Double, _ format: Format = .decimal) {
        self.value = value
        self.format = format
    }
}

extension RowValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case text
        case number
        case date
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(text)
        } else if let date = try container.decodeIfPresent(Instant.self, forKey: .date) {
            self = .date(date)
        } else {
            self = .number(try container.decode(RowNumber.self, forKey: .number))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .number(let number): try container.encode(number, forKey: .number)
        case .date(let date): try container.encode(date, forKey: .date)
        }
    }
}
