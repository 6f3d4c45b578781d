// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials
internal import JSON
internal import WidgetSchema

/// A source's document as valid JSON (RFC 8259); a property list is converted to JSON.
struct SourceDocument {
    let documentURL: String
    private let json: JSONDocument
    /// A Boolean value that indicates whether errors contain a line and a column.
    ///
    /// It is false for a property list, because the places in the JSON are not those in the original.
    private let hasPlaces: Bool

    /// Creates the document; throws if the bytes are not exactly one JSON value or property list.
    init(_ body: SourceBody, work: ParsingWork = ParsingWork()) throws(ParsingError) {
        let decoded = Self.decoded([UInt8](body.bytes), contentType: body.contentType)
        guard let first = decoded.first(where: { $0 > 32 }) else {
            throw ParsingError(.empty, "the document is empty: JSON or a property list was expected")
        }
        documentURL = body.documentURL
        hasPlaces = first != UInt8(ascii: "<") && !BinaryPropertyList.isBinaryPropertyList(decoded)
        let bytes = hasPlaces ? decoded : try PropertyList.json(decoded, work: work)
        do throws(JSONSyntaxError) {
            json = try JSONDocument(bytes, budget: work)
        } catch {
            try work.check()
            throw ParsingError(
                error.kind == .invalid ? .wrongFormat : .tooComplex,
                error.kind == .invalid ? "the document is not valid JSON: \(error.message)" : error.message,
                at: hasPlaces ? .of(error.offset, in: bytes) : nil
            )
        }
        try work.check()
    }

    var root: JSONValue { json.root }

    /// Converts a fault to an error that contains the pointer, the line and the column of the faulty value.
    ///
    /// This is slow, because it searches the document for the value.
    func error(_ fault: JSONFault) -> ParsingError {
        let pointer = JSONPointer(tokens: root.path(to: fault.value)).description
        return ParsingError(
            fault.kind,
            pointer.isEmpty ? fault.message : "\(pointer.shortened(to: 200) ?? ""): \(fault.message)",
            at: hasPlaces ? json.place(of: fault.value) : nil
        )
    }

    /// Returns the document in UTF-8; a binary property list is returned unchanged.
    ///
    /// JSON begins with an ASCII character. If one of the first two bytes is zero, the document is therefore in UTF-16
    /// without a byte order mark.
    static func decoded(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
        if BinaryPropertyList.isBinaryPropertyList(bytes) { return bytes }
        let charset = CharacterEncoding.charset(ofContentType: contentType)
        if bytes.count >= 2, bytes[0] == 0, bytes[1] != 0 {
            return CharacterEncoding.decode([0xfe, 0xff] + bytes, charset: charset)
        }
        if bytes.count >= 2, bytes[0] != 0, bytes[1] == 0 {
            return CharacterEncoding.decode([0xff, 0xfe] + bytes, charset: charset)
        }
        return CharacterEncoding.decode(bytes, charset: charset)
    }
}
