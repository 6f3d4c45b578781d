// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A reader for rows that already have the form of content on the bus.
///
/// The form is `{"kind": "json", "json": {"rows": [{"id", "title": {"text": …}, …}]}}`. The functions read the inner
/// object, the value of the member `json`.
enum OwnRows {
    static func read(_ own: JSONValue) throws(JSONFault) -> RowsContent {
        try own.expectObject()
        guard let list = own["rows"] else { throw own.fault("the object has no member 'rows'") }
        try list.expectList()
        var rows: [ContentRow] = []
        var ids: Set<String> = []
        try list.forEachElement { _, entry throws(JSONFault) in
            let row = try row(entry)
            guard ids.insert(row.id).inserted else { throw entry.fault("another row has the same id") }
            rows.append(row)
            return rows.count < RowsContent.maximumRows
        }
        return RowsContent(rows: rows)
    }

    private static func row(_ entry: JSONValue) throws(JSONFault) -> ContentRow {
        try entry.expectObject()
        let members = entry.members("id", "title", "subtitle", "date", "link")
        guard let id = members["id"] else { throw entry.fault("the row has no 'id'") }
        let name = try id.expectString()
        guard !name.isEmpty else { throw id.fault("the id is empty") }
        guard let title = members["title"] else { throw entry.fault("the row has no 'title'") }
        var row = ContentRow(id: name, title: try value(title))
        if let subtitle = members["subtitle"] { row.subtitle = try value(subtitle) }
        if let date = members["date"] { row.date = try JSONDate.read(date, .rfc3339) }
        if let link = members["link"] {
            let text = try link.expectString()
            guard LinkSchemes.isOfTheWebOrAnApp(text) else {
                throw link.fault("the link is invalid; write an http or https address, or one with an app's own scheme")
            }
            row.link = text
        }
        return row
    }

    /// Reads `{"text": …}`, `{"number": {"value": …, "format": …}}` or `{"date": …}`.
    private static func value(_ value: JSONValue) throws(JSONFault) -> RowValue {
        try value.expectObject()
        let members = value.members("text", "number", "date")
        if let text = members["text"] {
            _ = try text.expectString()
            return .text(text.line(atMost: RowValue.maximumTextCharacters) ?? "")
        }
        if let date = members["date"] { return .date(try JSONDate.read(date, .rfc3339)) }
        guard let number = members["number"] else {
            throw value.fault("the object has none of the members 'text', 'number' and 'date'")
        }
        try number.expectObject()
        let parts = number.members("value", "format")
        guard let amount = parts["value"] else { throw number.fault("the object 'number' has no member 'value'") }
        var format = RowNumber.Format.decimal
        if let named = parts["format"] {
            guard let known = RowNumber.Format(rawValue: try named.expectString()) else {
                let words = RowNumber.Format.allCases.map(\.rawValue).joined(separator: ", ")
                throw named.fault("the number's format is unknown; the formats are \(words)")
            }
            format = known
        }
        return .number(RowNumber(try amount.expectNumber(), format))
    }
}
