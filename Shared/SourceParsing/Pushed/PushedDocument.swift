// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials
internal import JSON
public import WidgetSchema

/// A document that a client pushes as a widget's content, by HTTP or with the command line.
///
/// It is a document that an origin could return, or a feed that a person wrote: see `OwnFeed`.
public struct PushedDocument: Sendable {
    public let content: Content
    /// The ids of the documents to remove from the list on show; nil if `content` replaces what is on show.
    public private(set) var removed: [String]?
    /// The members of the document that the content does not depend on.
    public private(set) var unused: [UnusedMember] = []

    /// Reads a document as content of the kind and with the options of `parsing`; throws all its errors.
    public static func read(_ body: SourceBody, parsing: Parsing) throws(DocumentFaults) -> PushedDocument {
        let json = try? SourceParser.json(of: body)
        if parsing.kind == .feed, let json, OwnFeed.isOwn(json.bytes) {
            do throws(DocumentFaults) {
                return PushedDocument(content: .feed(try OwnFeed.read(json.bytes)))
            } catch {
                throw json.hasPlaces ? error : error.withoutPlaces
            }
        }
        do throws(ParsingError) {
            if parsing.kind == .documents, let removed = try SourceParser.removedDocuments(in: body) {
                return PushedDocument(content: .documents(DocumentsContent(documents: [])), removed: removed)
            }
            let content = try SourceParser.parse(body, parsing: parsing)
            return PushedDocument(content: content, unused: UnusedMember.find(in: body, parsing: parsing))
        } catch {
            var error = error
            if error.kind == .wrongFormat, let json {
                error.message += MemberNames(parsing).corrections(of: json.bytes)
            }
            throw DocumentFaults([error])
        }
    }

    /// Returns the kind that a document in the form of content on the bus declares; nil if it declares none.
    public static func declaredKind(of bytes: Data) -> WidgetKind? {
        let body = SourceBody(bytes, contentType: nil, documentURL: "")
        guard let json = try? SourceParser.json(of: body), let root = (try? JSONDocument(json.bytes))?.root,
            let word = root["kind"]?.string
        else { return nil }
        return WidgetKind(rawValue: word)
    }
}

extension SourceParser {
    /// A JSON document in UTF-8.
    struct JSONBytes {
        var bytes: [UInt8]
        /// A Boolean value that indicates whether the places in the bytes are those in the original.
        var hasPlaces: Bool
    }

    /// Returns a JSON document, or a property list converted to JSON, in UTF-8; nil for any other document.
    static func json(of body: SourceBody) throws(ParsingError) -> JSONBytes? {
        if PropertyList.isPropertyList(body.bytes) {
            let json = try PropertyList.json([UInt8](body.bytes))
            return JSONBytes(bytes: json, hasPlaces: false)
        }
        let decoded = SourceDocument.decoded([UInt8](body.bytes), contentType: body.contentType)
        guard let first = decoded.first(where: { $0 > UInt8(ascii: " ") }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
        return JSONBytes(bytes: decoded, hasPlaces: true)
    }
}
