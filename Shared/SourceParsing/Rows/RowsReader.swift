// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Cryptography
internal import JSON
internal import WidgetSchema

/// A reader that creates one row from each element of a list in a JSON document, as a configuration describes.
///
/// An element is dropped if it has no title, or if its title does not match the configured format. It is an error if
/// every element is dropped. If another value of an element does not match its format, the row is kept without this
/// value.
struct RowsReader {
    /// The maximum number of list elements that are read; further elements are ignored.
    private static let maximumElements = 10_000
    private static let maximumIDBytes = 512

    private let parsing: RowsParsing
    private let documentURL: String
    private var rows: [ContentRow] = []
    private var ids: Set<String> = []
    private var elementCount = 0
    /// The error of the first element that could not be converted to a row.
    private var firstFault: JSONFault?

    /// Reads the rows of a document.
    ///
    /// A document in the form of content on the bus is read with `OwnRows`. Any other document is read as `parsing`
    /// describes; if `parsing` is nil, an error is thrown.
    static func read(_ document: SourceDocument, _ parsing: RowsParsing?) throws(JSONFault) -> RowsContent {
        if let own = try document.root.ownForm(of: .json) { return try OwnRows.read(own) }
        guard let parsing else {
            throw document.root.fault(
                "the document is not in Tidings's own form for rows; set 'list' and 'title' to say where its rows are"
            )
        }
        var reader = RowsReader(parsing: parsing, documentURL: document.documentURL)
        return try reader.read(document.root)
    }

    private init(parsing: RowsParsing, documentURL: String) {
        self.parsing = parsing
        self.documentURL = WebLink.base(documentURL)
    }

    private mutating func read(_ root: JSONValue) throws(JSONFault) -> RowsContent {
        let list = try list(in: root)
        list.forEachElement { _, element in take(element, key: nil) }
        list.forEachMember { name, element in take(element, key: name) }
        if rows.isEmpty, var firstFault {
            if let refusal = OriginRefusal.find(in: root) { throw refusal }
            firstFault.message += "; none of \(elementCount) elements has a title"
            throw firstFault
        }
        return RowsContent(rows: rows)
    }

    private func list(in root: JSONValue) throws(JSONFault) -> JSONValue {
        let pointer = parsing.list ?? .root
        guard let list = root.value(at: pointer) else {
            if let refusal = OriginRefusal.find(in: root) { throw refusal }
            // Find the last value on the path that exists.
            var outer = root
            var missing = pointer.tokens.first ?? ""
            for count in 1..<max(pointer.tokens.count, 1) {
                guard let next = root.value(at: JSONPointer(tokens: Array(pointer.tokens.prefix(count)))) else {
                    break
                }
                outer = next
                missing = pointer.tokens[count]
            }
            throw outer.fault("'\(missing)' was not found; the configured 'list' is \(pointer)")
        }
        guard list.kind == .array || list.kind == .object else {
            throw OriginRefusal.find(in: root) ?? list.fault("the value is \(list.kindName); a list was expected")
        }
        return list
    }

    /// Adds the row of one element; returns false if no further elements are needed.
    ///
    /// `key` is the member name of the element if the list is an object; nil if the list is an array.
    private mutating func take(_ element: JSONValue, key: String?) -> Bool {
        elementCount += 1
        do throws(JSONFault) {
            rows.append(try row(element, key: key))
        } catch {
            firstFault = firstFault ?? error
        }
        return rows.count < RowsContent.maximumRows && elementCount < Self.maximumElements
    }

    /// Returns the row of a list element.
    ///
    /// `key` is the element's member name if the list is an object; nil if the list is an array. The id of an element
    /// is the value of the configured member, or else `key`. If there is neither, `uniqueID` creates the id.
    ///
    /// Throws if the element has no valid title.
    private mutating func row(_ element: JSONValue, key: String?) throws(JSONFault) -> ContentRow {
        let pointers: [JSONPointer?] = [
            parsing.title.pointer, parsing.subtitle?.pointer, parsing.link, parsing.date?.pointer, parsing.id,
        ]
        let found = element.values(at: pointers.compactMap(\.self))
        var next = found.makeIterator()
        let values = pointers.map { $0 == nil ? nil : next.next() ?? nil }
        guard let title = values[0], let titleValue = try value(title, parsing.title.format ?? .text) else {
            throw element.fault("there is no title at '\(parsing.title.pointer)'")
        }
        let link = values[2].flatMap(link)
        let subtitle = values[1].flatMap { try? value($0, parsing.subtitle?.format ?? .text) }
        let date = values[3].flatMap { try? JSONDate.read($0, parsing.date?.format ?? .date) }
        // The whole id: if it is too long, its digest takes its place.
        let named = values[4]?.line(atMost: .max) ?? key.flatMap { $0.isEmpty ? nil : $0 }
        let texts = values.prefix(2).compactMap { $0?.line(atMost: Self.maximumIDBytes) }
        let id = uniqueID(named, link: link, texts: texts)
        return ContentRow(id: id, title: titleValue, subtitle: subtitle ?? nil, date: date, link: link)
    }

    /// Returns the id of a row, which stays the same when the document is fetched again.
    ///
    /// The id is `named`, which is the id in the document, or else the row's link, or else its title. A long id is replaced
    /// by its digest. If an earlier row has the same id, a suffix is appended. For an id of the document, it is the digest
    /// of the row's link, or else that of its texts. If another row has this id too, the suffix is a number.
    private mutating func uniqueID(_ named: String?, link: String?, texts: [String]) -> String {
        let base = named ?? link ?? texts.first ?? "row"
        let id = base.utf8.count <= Self.maximumIDBytes ? base : SHA256.hexDigest(of: base)
        if ids.insert(id).inserted { return id }
        let parts = named == nil ? [] : [link, texts.joined(separator: "\n")].compactMap(\.self)
        let digests = parts.map { "\(id)#\(SHA256.hexDigest(of: $0).prefix(ParsedItem.digestDigits))" }
        // More numbers than there can be rows.
        let numbers = (2...RowsContent.maximumRows + 1).map { "\(id)#\($0)" }
        return (digests + numbers).first { ids.insert($0).inserted } ?? id
    }

    private func value(_ value: JSONValue, _ format: RowsParsing.Format) throws(JSONFault) -> RowValue? {
        guard !value.isNull else { return nil }
        switch format {
        case .text: return value.line(atMost: RowValue.maximumTextCharacters).map(RowValue.text)
        case .decimal: return .number(RowNumber(try value.expectNumber(), .decimal))
        case .percent: return .number(RowNumber(try value.expectNumber(), .percent))
        case .bytes: return .number(RowNumber(try value.expectNumber(), .bytes))
        case .date, .rfc3339, .rfc822, .unixSeconds, .unixMilliseconds:
            return .date(try JSONDate.read(value, format))
        }
    }

    /// Returns the absolute form of a link; nil if widgets are not allowed to open it.
    private func link(_ value: JSONValue) -> String? {
        guard let text = value.string, text.utf8.count <= WebLink.maximumBytes, !PlainText.isBlank(text) else {
            return nil
        }
        let link = WebLink.join(WebLink.unescaped(text), base: documentURL)
        return LinkSchemes.isOfTheWebOrAnApp(link) && link.utf8.count <= WebLink.maximumBytes ? link : nil
    }
}
