// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import FoundationEssentials
public import WidgetSchema

/// Makes content out of a source's bytes; pure, and safe for bytes from anybody.
public enum SourceParser {
    /// What requests say they accept (RFC 9110, section 12.5.1): many servers have more than one form of a document, and
    /// feeds are asked for first.
    public static let accept =
        "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, "
        + "application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, */*;q=0.1"

    /// The content that a parsing makes of an answer's body.
    ///
    /// `contentType` is the answer's header of that name; `documentURL` is where the body came from, after redirects, and
    /// what relative links are resolved against.
    public static func parse(
        _ bytes: Data,
        parsing: Parsing,
        contentType: String?,
        documentURL: String
    ) throws(ParsingError) -> Content {
        switch parsing.kind {
        case .feed:
            let feed = try parseFeed(bytes, contentType: contentType, documentURL: documentURL)
            return .feed(FeedContent(feed))
        case .keyValue, .forecast, .quote, .documents, .json:
            return try OwnForm.read(bytes, kind: parsing.kind, documentURL: documentURL)
        }
    }

    /// The same together with what the document says about when it changes.
    public static func read(
        _ bytes: Data,
        parsing: Parsing,
        contentType: String?,
        documentURL: String
    ) throws(ParsingError) -> SourceReading {
        guard parsing.kind == .feed else {
            return SourceReading(
                content: try parse(bytes, parsing: parsing, contentType: contentType, documentURL: documentURL)
            )
        }
        let feed = try parseFeed(bytes, contentType: contentType, documentURL: documentURL)
        return SourceReading(content: .feed(FeedContent(feed)), hints: feed.hints)
    }

    /// The whole of a feed as it was found, of which `parse` keeps what widgets show.
    public static func parseFeed(
        _ bytes: Data,
        contentType: String?,
        documentURL: String
    ) throws(ParsingError) -> ParsedFeed {
        let charset = CharacterEncoding.charset(ofContentType: contentType)
        let decoded = CharacterEncoding.decode([UInt8](bytes), charset: charset)
        return try FeedReader.read(decoded, documentURL: documentURL)
    }
}
