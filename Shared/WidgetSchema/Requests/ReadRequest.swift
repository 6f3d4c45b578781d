// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to a fetcher to read a document as content of a widget, without fetching anything.
///
/// The gateway sends the documents that clients push, because it does not parse documents itself.
public struct ReadRequest: RequestBody {
    public static let name = "read"
    public typealias Result = ReadAnswer

    /// The document if it is UTF-8; otherwise nil.
    public var text: String?
    /// The bytes of the document in Base64 (RFC 4648, section 4); nil if `text` is not nil.
    public var base64: String?
    /// The media type that the client sent.
    public var contentType: String?
    public var parsing: Parsing

    public init(text: String? = nil, base64: String? = nil, contentType: String?, parsing: Parsing) {
        self.text = text
        self.base64 = base64
        self.contentType = contentType
        self.parsing = parsing
    }
}

/// The content of a document, or the errors in it.
public struct ReadAnswer: Codable, Hashable, Sendable {
    /// The content, or an empty list of documents if `removed` is not nil; nil if `faults` is not nil.
    public var content: Content?
    /// The ids of the documents to remove from the list on show; nil if `content` replaces what is on show.
    public var removed: [String]?
    /// A sentence about members of the document that the content does not depend on; nil if there are none.
    public var note: String?
    /// One line for each error in the document: `LINE:COLUMN: MESSAGE`.
    public var faults: String?

    public init(content: Content? = nil, removed: [String]? = nil, note: String? = nil, faults: String? = nil) {
        self.content = content
        self.removed = removed
        self.note = note
        self.faults = faults
    }
}
