// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials
internal import WidgetSchema

/// A valid JSON document (RFC 8259), or a property list converted to one.
///
/// Values are decoded on demand, and nothing is built for the others.
final class JSONDocument: Sendable {
    /// The document in UTF-8.
    let bytes: [UInt8]
    let documentURL: String
    let work: ParsingWork
    /// False for a property list, because places in `bytes` are not those of the original.
    private let hasPlaces: Bool

    /// Throws if the bytes are not exactly one JSON value.
    init(
        _ bytes: Data,
        contentType: String?,
        documentURL: String,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) {
        self.work = work
        let decoded = Self.decoded([UInt8](bytes), contentType: contentType)
        guard let first = decoded.first(where: { $0 > 32 }) else {
            throw ParsingError(
                kind: .empty,
                message: "the document is empty: JSON or a property list was expected",
                documentURL: documentURL
            )
        }
        self.documentURL = documentURL
        hasPlaces = first != UInt8(ascii: "<") && !BinaryPropertyList.isOne(decoded)
        self.bytes = hasPlaces ? decoded : try PropertyList.json(decoded, documentURL: documentURL, work: work)
        do throws(JSONCheck.Problem) {
            try JSONCheck.check(self.bytes, work: work)
        } catch {
            let (line, column) = Self.place(of: error.offset, in: self.bytes)
            throw ParsingError(
                kind: error.isTooDeep ? .tooComplex : .wrongFormat,
                message: error.isTooDeep ? error.message : "it is no JSON: \(error.message)",
                documentURL: documentURL,
                line: hasPlaces ? line : nil,
                column: hasPlaces ? column : nil
            )
        }
        try work.check(documentURL: documentURL)
    }

    var root: JSONValue { JSONValue(document: self, start: bytes.firstIndex { $0 > 32 } ?? 0) }

    /// Returns the error of a value, with its pointer, line and column, which take time to find.
    func error(_ fault: JSONFault) -> ParsingError {
        let pointer = root.pointer(to: fault.value).description
        let (line, column) = Self.place(of: fault.value.start, in: bytes)
        return ParsingError(
            kind: fault.kind,
            message: pointer.isEmpty ? fault.message : "\(pointer.shortened(to: 200) ?? ""): \(fault.message)",
            documentURL: documentURL,
            line: hasPlaces ? line : nil,
            column: hasPlaces ? column : nil
        )
    }

    private static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.reduce(into: 1) { line, byte in line += byte == 10 ? 1 : 0 }
        let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
        return (line, before.count - start + 1)
    }

    /// Returns the bytes in UTF-8.
    ///
    /// Without a byte order mark, JSON begins with an ASCII character, so a zero byte indicates UTF-16.
    private static func decoded(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
        if BinaryPropertyList.isOne(bytes) { return bytes }
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
