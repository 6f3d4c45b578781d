// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The options for parsing rows: the place of the list in a JSON document, and the values that each row shows.
public struct RowsParsing: Hashable, Sendable {
    /// The place of a value within an element of the list, and the format of the value.
    public struct Field: Hashable, Sendable {
        public var pointer: JSONPointer
        /// The format; if it is nil, `date` for the date of a row, and `text` for its other values.
        public var format: Format?

        public init(_ pointer: JSONPointer, _ format: Format? = nil) {
            self.pointer = pointer
            self.format = format
        }
    }

    /// The type of a value, which determines how the value is read and shown.
    public enum Format: String, CaseIterable, Sendable {
        /// The value is a text, shown as it is in the document.
        case text
        case decimal
        /// The value is a fraction, shown as a percentage: 0.5 is shown as 50 %.
        case percent
        /// The value is a number of bytes, shown in decimal units: 1000 is shown as 1 kB.
        case bytes
        /// The value is a date: a number, or a text in one of many forms, such as those of `rfc3339` and `rfc822`.
        ///
        /// A number counts seconds since 1970 if its absolute value is below 100,000,000,000, and milliseconds
        /// otherwise.
        case date
        /// The value is a date such as `2026-11-21T00:49:16Z` (RFC 3339).
        case rfc3339
        /// The value is a date such as `Sat, 21 Nov 2026 00:49:16 GMT` (RFC 822 and its successors).
        case rfc822
        /// The value is a date, as a number of seconds since 1970.
        case unixSeconds
        /// The value is a date, as a number of milliseconds since 1970.
        case unixMilliseconds

        public var isDate: Bool {
            switch self {
            case .text, .decimal, .percent, .bytes: false
            case .date, .rfc3339, .rfc822, .unixSeconds, .unixMilliseconds: true
            }
        }
    }

    /// The pointer to the list of rows: an array of rows, or an object with one member for each row; nil for the whole
    /// document.
    public var list: JSONPointer?
    public var title: Field
    public var subtitle: Field?
    public var link: JSONPointer?
    /// The place and the format of a row's date; the format must be a date format, such as `rfc3339`.
    public var date: Field?
    /// The place of a row's id within an element of the list; nil if the elements contain no id.
    ///
    /// If this property is nil, or if an element has no value at this place, the row gets another id. If the list is an
    /// object, this id is the element's member name. If the list is an array, it is the row's link, or the row's title
    /// if there is no link.
    public var id: JSONPointer?

    public init(
        list: JSONPointer? = nil,
        title: Field,
        subtitle: Field? = nil,
        link: JSONPointer? = nil,
        date: Field? = nil,
        id: JSONPointer? = nil
    ) {
        self.list = list
        self.title = title
        self.subtitle = subtitle
        self.link = link
        self.date = date
        self.id = id
    }

    /// All pointers, with the names of their options.
    public var pointers: [(name: String, pointer: JSONPointer)] {
        let pointers: [(String, JSONPointer?)] = [
            ("list", list), ("id", id), ("title", title.pointer), ("subtitle", subtitle?.pointer),
            ("date", date?.pointer), ("link", link),
        ]
        return pointers.compactMap { name, pointer in pointer.map { (name, $0) } }
    }

    init(options: [String: String]) throws(ParsingOptionError) {
        func pointer(_ name: String) throws(ParsingOptionError) -> JSONPointer? {
            guard let text = options[name] else { return nil }
            do throws(ParsingOptionError) {
                return try JSONPointer(text)
            } catch {
                throw error.naming(name)
            }
        }
        func field(_ name: String) throws(ParsingOptionError) -> Field? {
            guard let pointer = try pointer(name) else { return nil }
            guard let word = options[name + "Format"] else { return Field(pointer) }
            guard let format = Format(rawValue: word) else {
                let words = Format.allCases.map(\.rawValue).joined(separator: ", ")
                throw ParsingOptionError(option: name + "Format", "'\(word)' is not a format; the formats are \(words)")
            }
            return Field(pointer, format)
        }
        list = try pointer("list")
        guard let title = try field("title") else {
            throw ParsingOptionError(
                option: "title",
                "is missing; set it to the JSON Pointer of the title in an element of the list, such as /title"
            )
        }
        self.title = title
        subtitle = try field("subtitle")
        link = try pointer("link")
        date = try field("date")
        if let format = date?.format, !format.isDate {
            throw ParsingOptionError(option: "dateFormat", "'\(format.rawValue)' is not a date format")
        }
        id = try pointer("id")
    }

    var options: [String: String] {
        var options = Dictionary(uniqueKeysWithValues: pointers.map { ($0.name, $0.pointer.description) })
        options["titleFormat"] = title.format?.rawValue
        options["subtitleFormat"] = subtitle?.format?.rawValue
        options["dateFormat"] = date?.format?.rawValue
        return options
    }
}
