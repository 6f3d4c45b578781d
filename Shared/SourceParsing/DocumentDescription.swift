// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials

/// The encoding and the format of a document, for diagnosis.
public struct DocumentDescription: Hashable, Sendable {
    /// The encoding in which the document is read.
    public var encoding: String
    /// The evidence for the encoding, such as "its byte order mark".
    public var encodingReason: String
    /// The name of the format, such as `RSS`, determined from the first byte or the root element.
    public var format: String

    /// Determines the encoding and the format in the same way as the parsers.
    ///
    /// `contentType` is the value of the header `Content-Type`; nil if it is unknown.
    public init(_ bytes: Data, contentType: String?) {
        let charset = CharacterEncoding.charset(ofContentType: contentType)
        (encoding, encodingReason, format) = [UInt8](bytes).withUnsafeBufferPointer { bytes in
            let (name, reason) = CharacterEncoding.name(of: bytes, charset: charset)
            let format =
                switch CharacterEncoding.reading(of: bytes, charset: charset) {
                case .asIs(let text): Self.format(of: text)
                case .converted(let text): text.withUnsafeBufferPointer { Self.format(of: $0) }
                }
            return (name, reason, format)
        }
    }

    private static func format(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard let first = bytes.first(where: { $0 > UInt8(ascii: " ") }) else {
            return "no format: the document is empty"
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return "JSON" }
        var scanner = XMLScanner(bytes)
        reading: while true {
            switch scanner.next() {
            case .start: break reading
            case .finish: return "neither XML nor JSON"
            case .text, .end: continue
            }
        }
        let root = scanner.element()
        switch (root.vocabulary, root.name) {
        case (.rss, .rss), (.rss, .channel): return "RSS"
        case (.rdf, .rdf): return "RSS 1.0 (RDF)"
        case (.atom, .feed), (.rss, .feed), (.atom, .entry): return "Atom"
        default: return root.name == .html ? "HTML" : "XML with the root element <\(scanner.foundName.prefix(80))>"
        }
    }
}
