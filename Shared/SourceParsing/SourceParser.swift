// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials
public import WidgetSchema

/// The parser that creates content from the bytes of a source.
///
/// It accesses no file and no network, and is safe for untrusted bytes.
public enum SourceParser {
    /// The value of `Accept` in requests (RFC 9110, section 12.5.1).
    ///
    /// Feed formats come first, because many servers offer the same document in several formats.
    public static let accept =
        "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, "
        + "application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, */*;q=0.1"

    /// Parses the body of an answer and returns its content.
    ///
    /// `parsing` determines the kind of the content and the options of its parser. Throws `incomplete` for a truncated
    /// document, unless it is a feed with the option `allowsIncomplete`. Throws `tooComplex` if the processor time of
    /// `work` is exhausted.
    public static func parse(
        _ body: SourceBody,
        parsing: Parsing,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> Content {
        try read(body, parsing: parsing, work: work).content
    }

    /// Parses the body of an answer like `parse`, and also returns the document's hints about when it changes.
    public static func read(
        _ body: SourceBody,
        parsing: Parsing,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> SourceReading {
        switch parsing {
        case .feed(let options):
            var feed = try readFeed(body, options, keeping: 2 * FeedContent.maximumItems, work: work)
            let hints = feed.hints
            feed.items.removeAll(where: \.isEmpty)
            if options.order == .date, let received = body.received { feed.sort(asOf: received) }
            let content = FeedContent(feed)
            if content.items.count >= FeedContent.maximumItems { work.reach(.items) }
            return SourceReading(content: Content.feed(content).normalized, hints: hints)
        case .keyValue, .forecast, .quote, .documents, .json:
            return try parseJSON(body, parsing: parsing, work: work)
        case .invalid(_, _, let error):
            throw ParsingError(.wrongFormat, "the widget's options for reading the document are invalid: \(error)")
        }
    }

    /// Returns a feed with all of its parts; `parse` returns only the parts that widgets show.
    ///
    /// The items have the order of the document. A truncated feed is returned with `isComplete` false. For such a feed,
    /// `parse` throws an error, unless the option `allowsIncomplete` is set.
    public static func parseFeed(
        _ body: SourceBody,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> ParsedFeed {
        try withDocument(body, work: work) { document throws(ParsingError) in
            try ParsedFeed.read(document, documentURL: body.documentURL, work: work)
        }
    }

    /// Returns a feed with all of its parts, in the order that `options` demand.
    ///
    /// Throws the error of `parse` for a document that must not replace the content of its source.
    public static func parseFeed(
        _ body: SourceBody,
        options: FeedParsing,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> ParsedFeed {
        var feed = try readFeed(body, options, keeping: ParsedFeed.maximumItems, work: work)
        if options.order == .date, let received = body.received { feed.sort(asOf: received) }
        return feed
    }

    /// Returns a feed that may replace the content of its source; throws the error of `parse` for any other document.
    ///
    /// At first, keeps at most `count` items: the newest ones, or the first ones of the document if the option `order`
    /// demands its order. If too few of them are neither empty nor repeated, reads the feed again and keeps up to
    /// ``ParsedFeed/maximumItems`` items.
    private static func readFeed(
        _ body: SourceBody,
        _ options: FeedParsing,
        keeping count: Int,
        work: ParsingWork
    ) throws(ParsingError) -> ParsedFeed {
        let documentURL = body.documentURL
        return try withDocument(body, work: work) { document throws(ParsingError) in
            let latest = options.order == .date ? body.received?.advanced(by: FeedContent.maximumLead) : nil
            var limit = ItemLimit(count: count, latest: latest)
            var feed = try ParsedFeed.read(document, documentURL: documentURL, limit: limit, work: work)
            try feed.requireReplacement(allowsIncomplete: options.allowsIncomplete)
            let mayKeepMore = feed.isLimited && count < ParsedFeed.maximumItems
            if mayKeepMore, FeedContent(feed).items.count < FeedContent.maximumItems {
                limit.count = ParsedFeed.maximumItems
                feed = try ParsedFeed.read(document, documentURL: documentURL, limit: limit, work: work)
            }
            return feed
        }
    }

    /// Converts a document to UTF-8, calls the closure `read` with the bytes, and returns the result of this closure.
    ///
    /// Characters that XML forbids are removed. A property list is converted to JSON.
    static func withDocument<Result>(
        _ body: SourceBody,
        work: ParsingWork,
        _ read: (UnsafeBufferPointer<UInt8>) throws(ParsingError) -> Result
    ) throws(ParsingError) -> Result {
        if PropertyList.isPropertyList(body.bytes) {
            let json = try PropertyList.json([UInt8](body.bytes), work: work)
            return try json.withUnsafeBufferPointer { (json) throws(ParsingError) in try read(json) }
        }
        let charset = CharacterEncoding.charset(ofContentType: body.contentType)
        let result = body.bytes.withUnsafeBytes { buffer in
            buffer.withMemoryRebound(to: UInt8.self) { original in
                Swift.Result<Result, ParsingError> { () throws(ParsingError) in
                    switch CharacterEncoding.reading(of: original, charset: charset) {
                    case .asIs(let text): try read(text)
                    case .converted(let text): try text.withUnsafeBufferPointer(read)
                    }
                }
            }
        }
        return try result.get()
    }
}
