// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// Reads a feed, JSON or XML; of XML it finds out its dialect, follows the elements, and collects the texts that the
/// dialect asks for.
struct FeedReader<Dialect: FeedDialect> {
    private struct Frame {
        let element: XMLElement
        let depth: Int
        let isItem: Bool
    }

    /// A text that is being collected.
    private struct Capture {
        let field: FeedField
        let form: TextForm
        let element: XMLElement
        let depth: Int
    }

    private var scanner: XMLScanner
    private var dialect: Dialect
    private let itemLimit: Int
    private var frames: [Frame] = []
    private var capture: Capture?
    /// The text of the capture.
    private var text = XMLTextDecoder()
    /// A piece of it that has to be escaped first.
    private var piece = XMLTextDecoder()
    private let rootDepth: Int
    /// The depth of the element that is being skipped, 0 where none is.
    private var skippedDepth = 0
    private var skippedName = 0..<0

    fileprivate init(_ scanner: XMLScanner, dialect: Dialect, itemLimit: Int, root: XMLElement) {
        self.scanner = scanner
        self.dialect = dialect
        self.itemLimit = itemLimit
        rootDepth = scanner.depth
        frames.append(Frame(element: root, depth: scanner.depth, isItem: false))
        // A root whose namespace nobody knows may be anything.
        if root.name == .channel { self.dialect.draft.isRecognized = scanner.adopted == nil }
    }

    /// Reads to the end of the document.
    fileprivate consuming func run() -> FeedDraft {
        while true {
            switch scanner.next() {
            case .start: start()
            case .text(let characters): append(characters)
            case .end(let depth): end(depth)
            case .finish:
                // An item that is still open was cut off with the document: it may lack half of what it says.
                if frames.contains(where: \.isItem) { dialect.draft.dropItem() }
                // What comes before elements that are nested too deep is as good as what comes before too many items.
                if scanner.isTooDeep { dialect.draft.isComplete = !dialect.draft.items.isEmpty }
                return dialect.draft
            }
        }
    }

    private mutating func start() {
        if skippedDepth > 0 {
            // A missing end tag must not swallow the items that follow.
            guard mayBeItem, dialect.isItem(scanner.element()), !scanner.isClosedSoon(skippedName) else { return }
            skippedDepth = 0
        } else if let capture {
            guard mayBeItem, dialect.isItem(scanner.element()) else { return appendTag(capture.form) }
            finish(capture)
        }
        // Within the root there is always a frame; a second root has none, and is none.
        guard let parent = frames.last?.element else { return }
        let element = scanner.element()
        switch dialect.role(of: element, in: parent) {
        case .container:
            if element.name == .channel { dialect.draft.isRecognized = true }
            frames.append(Frame(element: element, depth: scanner.depth, isItem: false))
        case .skipped:
            skippedDepth = scanner.depth
            skippedName = scanner.nameRange
        case .text(let field, let form):
            capture = Capture(field: field, form: form, element: element, depth: scanner.depth)
            text.clear()
        case .item:
            if let open = frames.firstIndex(where: \.isItem) {
                frames.removeSubrange(open...)
                dialect.draft.endItem()
            }
            // What is open in between has lost its end.
            scanner.reparent(to: frames.last?.depth ?? 0)
            guard dialect.draft.items.count < itemLimit else {
                dialect.draft.isLimited = true
                skippedDepth = scanner.depth
                skippedName = scanner.nameRange
                return
            }
            dialect.draft.beginItem()
            dialect.didBeginItem(element)
            frames.append(Frame(element: element, depth: scanner.depth, isItem: true))
        }
    }

    private var mayBeItem: Bool { scanner.name.local == .item || scanner.name.local == .entry }

    private mutating func append(_ characters: XMLText) {
        guard skippedDepth == 0, let capture, text.count < ParsedFeed.maximumTextBytes else { return }
        // Where elements are markup, characters within them have to be written as markup too.
        let isMarkup =
            switch capture.form {
            case .plain, .base64: false
            case .html: scanner.depth > capture.depth
            case .xhtml: true
            }
        // No character takes more bytes to write than this; what is beyond is beyond the limit.
        let longest = 8 * ParsedFeed.maximumTextBytes
        let characters = XMLText(range: characters.range.prefix(longest), isLiteral: characters.isLiteral)
        guard isMarkup else { return scanner.decode(characters, into: &text) }
        piece.clear()
        scanner.decode(characters, into: &piece)
        text.append(escaping: piece)
    }

    /// Adds the start tag that was read last, as found, to a text whose elements are part of it.
    private mutating func appendTag(_ form: TextForm) {
        guard text.count < ParsedFeed.maximumTextBytes else { return }
        switch form {
        case .plain, .base64: break
        case .html, .xhtml:
            text.append("<")
            text.append(
                literal: UnsafeBufferPointer(rebasing: scanner.bytes[scanner.localNameStart..<scanner.tag.upperBound])
            )
            if scanner.bytes[scanner.tag.upperBound - 1] != UInt8(ascii: ">") { text.append(">") }
        }
    }

    private mutating func end(_ depth: Int) {
        if depth <= rootDepth { dialect.draft.isComplete = true }
        if skippedDepth > 0 {
            guard depth <= skippedDepth else { return }
            let isSkipped = depth == skippedDepth
            skippedDepth = 0
            if isSkipped { return }
        }
        if let capture {
            guard depth <= capture.depth else { return appendEndTag(capture.form) }
            finish(capture)
            if depth == capture.depth { return }
        }
        while let frame = frames.last, frame.depth >= depth {
            frames.removeLast()
            if frame.isItem { dialect.draft.endItem() }
        }
    }

    /// Adds the end tag that was read last.
    private mutating func appendEndTag(_ form: TextForm) {
        guard text.count < ParsedFeed.maximumTextBytes, !scanner.endName.isEmpty else { return }
        switch form {
        case .plain, .base64: break
        case .html, .xhtml:
            text.append("</")
            text.append(literal: UnsafeBufferPointer(rebasing: scanner.bytes[scanner.endName]))
            text.append(">")
        }
    }

    private mutating func finish(_ done: Capture) {
        capture = nil
        let found = text.string(limit: ParsedFeed.maximumTextBytes)
        let meant =
            switch done.form {
            case .plain: MarkedText(found, .plain)
            case .html, .xhtml: MarkedText(found, .html)
            // What is no base64 says what it says.
            case .base64(let markup): MarkedText(Base64.decode(found) ?? found, markup)
            }
        scanner.work.add(found.utf8.count)
        if text.count >= ParsedFeed.maximumTextBytes { scanner.work.reach(.textBytes) }
        dialect.take(done.field, meant, of: done.element)
    }
}

extension ParsedFeed {
    /// One text of a feed is read up to so many bytes of UTF-8.
    static let maximumTextBytes = 1 << 20
    /// A feed begins within so many bytes of what is none.
    static let maximumPreludeBytes = 16 * 1024

    /// The feed in a document of UTF-8 bytes; items beyond `itemLimit` are passed over.
    static func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        documentURL: String,
        itemLimit: Int = maximumItems,
        work: ParsingWork
    ) throws(ParsingError) -> ParsedFeed {
        guard let first = bytes.first(where: { $0 > UInt8(ascii: " ") }) else {
            throw ParsingError(
                kind: .empty,
                message: "the document is empty: an RSS, Atom or JSON feed was expected",
                documentURL: documentURL
            )
        }
        if first == UInt8(ascii: "{") {
            return try JSONFeedDialect.read(Array(bytes), documentURL: documentURL, itemLimit: itemLimit, work: work)
        }
        let draft = try readXML(bytes, documentURL: documentURL, itemLimit: itemLimit, work: work)
        return try draft.finished(documentURL: documentURL, work: work)
    }

    /// Throws if this must not take the place of what is known of its source.
    ///
    /// Such a document is cut off, or has the root element of a feed and nothing of a feed within it. With
    /// `allowsIncomplete` the items before the end of a document that is cut off are enough.
    func requireReplacement(allowsIncomplete: Bool, documentURL: String) throws(ParsingError) {
        guard isComplete || (allowsIncomplete && !items.isEmpty) else {
            throw ParsingError(
                kind: .incomplete,
                message: "the document ends before the feed does; is it half of one?",
                documentURL: documentURL
            )
        }
        guard isRecognized || !items.isEmpty else {
            throw ParsingError(
                kind: .wrongFormat,
                message: "not a feed: its root element is that of one, but nothing in it is",
                documentURL: documentURL
            )
        }
    }

    private static func readXML(
        _ bytes: UnsafeBufferPointer<UInt8>,
        documentURL: String,
        itemLimit: Int,
        work: ParsingWork
    ) throws(ParsingError) -> FeedDraft {
        var scanner = XMLScanner(bytes, work: work)
        var refusal: ParsingError?
        var isPage = false
        while true {
            switch scanner.next() {
            case .start:
                let root = scanner.element()
                switch (root.vocabulary, root.name) {
                case (.rss, .rss), (.rss, .channel):
                    return FeedReader(scanner, dialect: RSSDialect(), itemLimit: itemLimit, root: root).run()
                case (.rdf, .rdf):
                    return FeedReader(scanner, dialect: RDFDialect(), itemLimit: itemLimit, root: root).run()
                case (.atom, .feed), (.rss, .feed):
                    return FeedReader(scanner, dialect: AtomDialect(), itemLimit: itemLimit, root: root).run()
                default:
                    isPage = isPage || root.name == .html
                    refusal = refusal ?? notAFeed(root, scanner, documentURL: documentURL)
                }
            case .finish:
                try work.check(documentURL: documentURL)
                throw refusal
                    ?? ParsingError(
                        kind: .wrongFormat,
                        message: "not a feed: there is no XML element in it; RSS, Atom or JSON Feed was expected",
                        documentURL: documentURL
                    )
            case .text, .end:
                break
            }
            // A server's warnings may stand before a feed, in tags of their own; a page is a page.
            if let refusal, isPage || scanner.position > maximumPreludeBytes { throw refusal }
        }
    }

    private static func notAFeed(_ root: XMLElement, _ scanner: XMLScanner, documentURL: String) -> ParsingError {
        let what = root.name == .html ? "it is an HTML page" : "its root element is <\(scanner.foundName.prefix(80))>"
        let place = scanner.place(of: scanner.tag.lowerBound)
        return ParsingError(
            kind: .wrongFormat,
            message: "not a feed: \(what); <rss>, <feed> or <rdf:RDF> was expected",
            documentURL: documentURL,
            line: place.line,
            column: place.column
        )
    }
}
