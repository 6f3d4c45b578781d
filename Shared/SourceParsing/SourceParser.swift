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

    /// Returns the content that a parsing makes of an answer's body.
    ///
    /// `contentType` is the answer's header of that name; `documentURL` is where the body came from, after redirects, and
    /// what relative links are resolved against. `received` is when it came: what days relative to it count from. Throws
    /// `incomplete` for a document that is cut off, and `tooComplex` for one that takes more processor time than `work`
    /// allows.
    public static func parse(
        _ bytes: Data,
        parsing: Parsing,
        contentType: String?,
        documentURL: String,
        received: Instant? = nil,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> Content {
        try read(
            bytes,
            parsing: parsing,
            contentType: contentType,
            documentURL: documentURL,
            received: received,
            work: work
        ).content
    }

    /// Returns the same together with what the document says about when it changes.
    public static func read(
        _ bytes: Data,
        parsing: Parsing,
        contentType: String?,
        documentURL: String,
        received: Instant? = nil,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> SourceReading {
        switch parsing.kind {
        case .feed:
            let options: FeedParsing
            do throws(ParsingOptionError) {
                options = try FeedParsing(options: parsing.options)
            } catch {
                throw unusable(error, documentURL)
            }
            let feed = try readFeed(
                bytes,
                contentType: contentType,
                documentURL: documentURL,
                allowsIncomplete: options.allowsIncomplete,
                work: work
            )
            return SourceReading(content: .feed(feed.content), hints: feed.hints)
        case .keyValue, .forecast, .quote, .documents, .json:
            return SourceReading(
                content: try parseJSON(
                    bytes,
                    parsing: parsing,
                    contentType: contentType,
                    documentURL: documentURL,
                    received: received,
                    work: work
                )
            )
        }
    }

    /// Returns the whole of a feed as it was found, of which `parse` keeps what widgets show.
    ///
    /// A feed that is cut off is returned as well, with `isComplete` false: `parse` would throw.
    public static func parseFeed(
        _ bytes: Data,
        contentType: String?,
        documentURL: String,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> ParsedFeed {
        try withDocument(
            bytes,
            contentType: contentType,
            documentURL: documentURL,
            work: work
        ) { document throws(ParsingError) in
            try ParsedFeed.read(document, documentURL: documentURL, work: work)
        }
    }

    /// Returns what a widget keeps of a feed; what it cannot need is not taken out of the document.
    private static func readFeed(
        _ bytes: Data,
        contentType: String?,
        documentURL: String,
        allowsIncomplete: Bool,
        work: ParsingWork
    ) throws(ParsingError) -> (content: FeedContent, hints: FeedHints) {
        try withDocument(
            bytes,
            contentType: contentType,
            documentURL: documentURL,
            work: work
        ) { document throws(ParsingError) in
            // Some items may say nothing, or what another says.
            let limit = 2 * FeedContent.maximumItems
            var feed = try ParsedFeed.read(document, documentURL: documentURL, itemLimit: limit, work: work)
            try feed.requireReplacement(allowsIncomplete: allowsIncomplete, documentURL: documentURL)
            var content = FeedContent(feed)
            if content.items.count < FeedContent.maximumItems, feed.isLimited {
                feed = try ParsedFeed.read(document, documentURL: documentURL, work: work)
                content = FeedContent(feed)
            }
            if content.items.count >= FeedContent.maximumItems { work.reach(.items) }
            return (content, feed.hints)
        }
    }

    /// Returns the error for a parsing whose options are of no use.
    static func unusable(_ error: ParsingOptionError, _ documentURL: String) -> ParsingError {
        ParsingError(
            kind: .wrongFormat,
            message: "the configuration's description of it is of no use: \(error)",
            documentURL: documentURL
        )
    }

    /// Calls `body` with the document in UTF-8, without the characters that no document may have; with JSON for a
    /// property list.
    static func withDocument<Result>(
        _ bytes: Data,
        contentType: String?,
        documentURL: String,
        work: ParsingWork,
        _ body: (UnsafeBufferPointer<UInt8>) throws(ParsingError) -> Result
    ) throws(ParsingError) -> Result {
        if PropertyList.isOne(bytes) {
            let json = try PropertyList.json([UInt8](bytes), documentURL: documentURL, work: work)
            return try json.withUnsafeBufferPointer { (json) throws(ParsingError) in try body(json) }
        }
        let charset = CharacterEncoding.charset(ofContentType: contentType)
        let result = bytes.withUnsafeBytes { buffer in
            buffer.withMemoryRebound(to: UInt8.self) { original in
                Swift.Result<Result, ParsingError> { () throws(ParsingError) in
                    switch CharacterEncoding.reading(of: original, charset: charset) {
                    case .asIs(let text): try body(text)
                    case .converted(let text): try text.withUnsafeBufferPointer(body)
                    }
                }
            }
        }
        return try result.get()
    }
}
