// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// The dialect of JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/), and of compatible later versions.
struct JSONFeedDialect {
    private var draft = FeedDraft()
    private var version: String?
    private var hasItems = false
    private var hasAddress = false
    /// The feed's authors from the member `author` of JSON Feed 1.0.
    ///
    /// After the whole feed was read, they are added to the authors from the member `authors` of JSON Feed 1.1.
    private var earlierAuthors: [String] = []

    private init(limit: ItemLimit, work: ParsingWork) {
        draft.limit = limit
        draft.work = work
    }

    /// Returns the feed in a JSON document, which must be UTF-8 and begin with an opening brace.
    static func read(
        _ bytes: [UInt8],
        documentURL: String,
        limit: ItemLimit,
        work: ParsingWork
    ) throws(ParsingError) -> ParsedFeed {
        var scanner = JSONScanner(bytes, budget: work)
        var dialect = JSONFeedDialect(limit: limit, work: work)
        dialect.draft.isComplete = scanner.readObject { dialect.takeMember(&$0, $1) }
        dialect.draft.isRecognized = true
        try work.check()
        // Some feeds have no version; then they must have items and an address.
        let saysSo = dialect.version?.lowercased().contains("jsonfeed") == true
        guard saysSo || (dialect.hasItems && dialect.hasAddress) else {
            throw ParsingError(
                .wrongFormat,
                "the document is not a feed: it is JSON, but has no 'version' such as https://jsonfeed.org/version/1.1",
                at: .of(0, in: bytes)
            )
        }
        dialect.draft.take(authors: dialect.earlierAuthors)
        return try dialect.draft.finished(documentURL: documentURL, work: work)
    }

    private mutating func takeMember(_ scanner: inout JSONScanner, _ name: String) {
        switch name {
        case "version": version = scanner.readText()
        case "title": take(.title, scanner.readText(), .plain)
        case "description": take(.summary, scanner.readText(), .plain)
        case "home_page_url":
            hasAddress = true
            take(.link, scanner.readText(), .plain)
        case "feed_url": hasAddress = true
        case "authors": draft.take(authors: Self.names(&scanner))
        case "author": earlierAuthors = Self.names(&scanner)
        case Visibility.extensionName: takeExtension(&scanner)
        case "items" where scanner.kind() == .array:
            hasItems = true
            _ = scanner.readArray { readItem(&$0) }
        default: break
        }
    }

    private mutating func takeExtension(_ scanner: inout JSONScanner) {
        _ = scanner.readObject { scanner, name in
            if name == Visibility.flagName { draft.hasContent = scanner.readFlag() }
        }
    }

    /// Reads one element of the feed's array `items`; returns false if the document ends within the element.
    private mutating func readItem(_ scanner: inout JSONScanner) -> Bool {
        guard draft.acceptsItem else {
            draft.isLimited = true
            scanner.skipValue()
            return true
        }
        guard scanner.kind() == .object else {
            scanner.skipValue()
            return true
        }
        draft.beginItem()
        var text: String?
        var hasHTML = false
        var earlierAuthors: [String] = []
        let isWhole = scanner.readObject { scanner, name in
            switch name {
            case "id": take(.id, scanner.readText(), .plain)
            case "url": takeLink(scanner.readText(), .own)
            case "external_url": takeLink(scanner.readText(), .alternate)
            case "title": take(.title, scanner.readText(), .plain)
            case "summary": take(.summary, scanner.readText(), .plain)
            case "content_html":
                hasHTML = true
                take(.content, scanner.readText(), .html)
            case "content_text": text = scanner.readText()
            case "date_published": take(.published, scanner.readText(), .plain)
            case "date_modified": take(.updated, scanner.readText(), .plain)
            case "authors": draft.take(authors: Self.names(&scanner))
            case "author": earlierAuthors = Self.names(&scanner)
            case "attachments": readAttachments(&scanner)
            default: break
            }
        }
        // The item may be incomplete.
        guard isWhole else {
            draft.dropItem()
            return false
        }
        draft.take(authors: earlierAuthors)
        // If there is also HTML, the plain text is a short form of the same content.
        take(hasHTML ? .substituteSummary : .content, text, .plain)
        draft.endItem()
        return true
    }

    /// Reads the author names from a list of authors, or from a single author.
    private static func names(_ scanner: inout JSONScanner) -> [String] {
        var names: [String] = []
        func add(_ name: String?) {
            if let name, names.count < ItemDraft.maximumParts { names.append(name) }
        }
        _ = scanner.readArray { scanner in
            guard scanner.kind() == .object else {
                add(scanner.readText())
                return true
            }
            return scanner.readObject { scanner, member in
                if member == "name" { add(scanner.readText()) }
            }
        }
        return names
    }

    private mutating func readAttachments(_ scanner: inout JSONScanner) {
        _ = scanner.readArray { scanner in
            var link: String?
            var type: String?
            let isWhole = scanner.readObject { scanner, name in
                switch name {
                case "url": link = scanner.readText()
                case "mime_type": type = scanner.readText()
                default: break
                }
            }
            if let link { takeLink(link, .enclosure(type: type, link: link)) }
            return isWhole
        }
    }

    private mutating func take(_ field: FeedField, _ text: String?, _ markup: MarkedText.Markup) {
        guard let text else { return }
        draft.take(field, MarkedText(text, markup), base: nil)
    }

    private mutating func takeLink(_ reference: String?, _ rank: LinkRank) {
        guard let reference, !PlainText.isBlank(reference) else { return }
        draft.take(link: reference, rank, base: nil)
    }
}
