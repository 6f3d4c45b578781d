// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// A reader for an XML feed in one dialect.
///
/// It visits the elements of the document, and collects the text of each element that has the role `text` or `person`
/// in the dialect.
struct FeedReader<Dialect: FeedDialect> {
    private struct Frame {
        let element: XMLElement
        let depth: Int
        let isItem: Bool
    }

    /// An element whose text is being collected.
    private struct Capture {
        let field: FeedField
        let form: TextForm
        let element: XMLElement
        let depth: Int
        /// A Boolean value that indicates whether the element is an author, whose name and mail address may be inner
        /// elements.
        let isPerson: Bool
    }

    private var scanner: XMLScanner
    private var dialect: Dialect
    private var frames: [Frame] = []
    private var capture: Capture?
    /// The range of the name of the element in the property `capture`.
    ///
    /// It is not a part of `Capture`, which is copied for each tag.
    private var captureName = 0..<0
    /// A Boolean value that indicates whether items inside the element in the property `capture` are part of its text.
    ///
    /// It is set as soon as an item was found in the element, and the end tag of the element after that item.
    private var captureContainsItems = false
    /// The text that was collected so far for the element in the property `capture`.
    private var text = XMLTextDecoder()
    /// A buffer for text that must be escaped before it is appended to the property `text`.
    private var piece = XMLTextDecoder()
    private let rootDepth: Int
    /// A Boolean value that indicates whether only items show that the document is a feed.
    private let isForeign: Bool
    /// The depth of the element that is being skipped; 0 if there is none.
    private var skippedDepth = 0
    private var skippedName = 0..<0

    fileprivate init(_ scanner: XMLScanner, dialect: Dialect, limit: ItemLimit, root: XMLElement) {
        self.scanner = scanner
        self.dialect = dialect
        rootDepth = scanner.depth
        // A version says that the root is an early form of Atom, which had various namespaces.
        let isEarlyAtom = ["0.1", "0.2", "0.3"].contains(root.attribute(.version))
        isForeign = scanner.adopted != nil && root.name != .rss && !isEarlyAtom
        self.dialect.draft.limit = limit
        self.dialect.draft.work = scanner.work
        // The document may be a single entry (RFC 4287, section 2).
        let isItem = dialect.isItem(root)
        if isItem { self.dialect.draft.beginItem() }
        frames.append(Frame(element: root, depth: scanner.depth, isItem: isItem))
        if root.name == .channel { self.dialect.draft.isRecognized = true }
    }

    /// Reads to the end of the document and returns the feed.
    fileprivate consuming func run() -> FeedDraft {
        while true {
            switch scanner.next() {
            case .start: start()
            case .text(let characters): append(characters)
            case .end(let depth): end(depth)
            case .finish:
                // An item that is still open was truncated with the document, so it may be incomplete.
                if frames.contains(where: \.isItem) { dialect.draft.dropItem() }
                // If elements are nested too deeply, the items before them are accepted, as they are if there are too
                // many items.
                if scanner.isTooDeep { dialect.draft.isComplete = !dialect.draft.items.isEmpty }
                // A `feed` or `channel` with a foreign namespace may be the root of any kind of document.
                if isForeign {
                    dialect.draft.isRecognized = !dialect.draft.items.isEmpty
                }
                return dialect.draft
            }
        }
    }

    private mutating func start() {
        if skippedDepth > 0 {
            // A missing end tag must not hide the items that follow.
            guard mayBeItem, dialect.isItem(scanner.element()), !scanner.isClosedSoon(skippedName) else { return }
            skippedDepth = 0
        } else if let capture {
            if isPartOfPerson(capture) {
                self.capture = nil
                frames.append(Frame(element: capture.element, depth: capture.depth, isItem: false))
            } else {
                guard mayBeItem, !captureContainsItems, dialect.isItem(scanner.element()) else {
                    return appendTag(capture.form)
                }
                // Without this check, a missing end tag would hide the items that follow.
                guard !scanner.isItemInside(captureName) else {
                    captureContainsItems = true
                    return appendTag(capture.form)
                }
                finish(capture)
            }
        }
        // Within the root, there is always a frame. After the end of the root, there is none, and a second root is
        // ignored.
        guard let parent = frames.last?.element else { return }
        let element = scanner.element()
        switch dialect.role(of: element, in: parent) {
        case .container:
            if element.name == .channel { dialect.draft.isRecognized = true }
            frames.append(Frame(element: element, depth: scanner.depth, isItem: false))
        case .skipped:
            skippedDepth = scanner.depth
            skippedName = scanner.nameRange
        case .text(let field, let form): begin(field, form, element, isPerson: false)
        case .person(let field, let form): begin(field, form, element, isPerson: true)
        case .item:
            if let open = frames.firstIndex(where: \.isItem) {
                frames.removeSubrange(open...)
                dialect.draft.endItem()
            }
            // The elements between the innermost frame and this item have no end tags.
            scanner.reparent(to: frames.last?.depth ?? 0)
            guard dialect.draft.acceptsItem else {
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

    private mutating func begin(_ field: FeedField, _ form: TextForm, _ element: XMLElement, isPerson: Bool) {
        capture = Capture(field: field, form: form, element: element, depth: scanner.depth, isPerson: isPerson)
        captureName = scanner.nameRange
        captureContainsItems = false
        text.clear()
    }

    /// Returns whether the start tag that was read last begins a part of a person, such as a name.
    ///
    /// The tag is inside the element of `capture`. This element must describe a person, and must have no text of its
    /// own so far. If the form of its text is plain, every inner element is a part of the person. Otherwise, only the
    /// inner elements `name`, `email`, `uri` and `url` are parts.
    private func isPartOfPerson(_ capture: Capture) -> Bool {
        guard capture.isPerson, PlainText.isBlank(text.string(limit: ParsedFeed.maximumNameCharacters)) else {
            return false
        }
        switch (capture.form, scanner.name.local) {
        case (.plain, _), (_, .name), (_, .email), (_, .uri), (_, .url): return true
        default: return false
        }
    }

    private var mayBeItem: Bool { scanner.name.local == .item || scanner.name.local == .entry }

    private mutating func append(_ characters: XMLText) {
        guard skippedDepth == 0, let capture, text.count < ParsedFeed.maximumTextBytes else { return }
        // If inner elements are kept as markup, the characters inside them must be escaped.
        let isMarkup =
            switch capture.form {
            case .plain, .base64: false
            case .html: scanner.depth > capture.depth
            case .xhtml: true
            }
        // References make a text at most about eight times as long in the document. Later bytes would exceed the limit
        // in any case.
        let longest = 8 * ParsedFeed.maximumTextBytes
        let characters = XMLText(range: characters.range.prefix(longest), isLiteral: characters.isLiteral)
        guard isMarkup else { return scanner.decode(characters, into: &text) }
        piece.clear()
        scanner.decode(characters, into: &piece)
        text.append(escaping: piece)
    }

    /// Appends the start tag that was read last to the collected text, if `form` is HTML or XHTML.
    ///
    /// The tag is appended without its namespace prefix.
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

    /// Appends the end tag that was read last to the collected text, if `form` is HTML or XHTML.
    ///
    /// The tag is appended without its namespace prefix.
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
            case .html: MarkedText(done.field.isTitle ? TitleMarkup.escaped(found) : found, .html)
            case .xhtml: MarkedText(found, .html)
            // A text that is not valid base64 is taken literally.
            case .base64(let markup): MarkedText(Base64.decode(found) ?? found, markup)
            }
        scanner.work.add(found.utf8.count)
        if text.count >= ParsedFeed.maximumTextBytes { scanner.work.reach(.textBytes) }
        dialect.take(done.field, meant, of: done.element)
    }
}

extension ParsedFeed {
    /// The maximum size of one text of a feed, in bytes of UTF-8.
    static let maximumTextBytes = 1 << 20
    /// The maximum number of bytes that may precede the root element of a feed.
    static let maximumPreludeBytes = 16 * 1024

    /// Returns the feed in a document of UTF-8 bytes; `limit` determines the items that are kept.
    static func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        documentURL: String,
        limit: ItemLimit = ItemLimit(),
        work: ParsingWork
    ) throws(ParsingError) -> ParsedFeed {
        guard let first = bytes.first(where: { $0 > UInt8(ascii: " ") }) else {
            throw ParsingError(.empty, "the document is empty: an RSS, Atom or JSON feed was expected")
        }
        if first == UInt8(ascii: "{") {
            return try JSONFeedDialect.read(Array(bytes), documentURL: documentURL, limit: limit, work: work)
        }
        let draft = try readXML(bytes, limit: limit, work: work)
        return try draft.finished(documentURL: documentURL, work: work)
    }

    /// Throws if this feed must not replace the stored content of its source.
    ///
    /// There are two cases:
    ///
    /// - The document is truncated. If `allowsIncomplete` is true, a truncated document that contains items is
    ///   accepted.
    /// - The document has the root element of a feed, but no other element of a feed.
    func requireReplacement(allowsIncomplete: Bool) throws(ParsingError) {
        guard isComplete || (allowsIncomplete && !items.isEmpty) else {
            throw ParsingError(.incomplete, "the document ends before the end of the feed; it may be truncated")
        }
        guard isRecognized || !items.isEmpty else {
            throw ParsingError(
                .wrongFormat,
                "the document is not a feed: it has the root element of a feed, but no other feed elements"
            )
        }
    }

    private static func readXML(
        _ bytes: UnsafeBufferPointer<UInt8>,
        limit: ItemLimit,
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
                case (.rss, .rss):
                    return FeedReader(scanner, dialect: RSSDialect(), limit: limit, root: root).run()
                // The root of RSS 1.1 is `Channel`.
                case (.rdf, .rdf), (.rss, .channel):
                    return FeedReader(scanner, dialect: RSSDialect(isRDF: true), limit: limit, root: root).run()
                case (.atom, .feed), (.rss, .feed), (.atom, .entry):
                    return FeedReader(scanner, dialect: AtomDialect(), limit: limit, root: root).run()
                default:
                    isPage = isPage || root.name == .html
                    refusal = refusal ?? notAFeed(root, scanner)
                }
            case .finish:
                try work.check()
                throw refusal
                    ?? ParsingError(
                        .wrongFormat,
                        "the document is not a feed: it has no XML element; RSS, Atom or JSON Feed was expected"
                    )
            case .text, .end:
                break
            }
            // A server may write warnings, with tags, before a feed, so reading continues; but an HTML page is an
            // error.
            if let refusal, isPage || scanner.position > maximumPreludeBytes { throw refusal }
        }
    }

    private static func notAFeed(_ root: XMLElement, _ scanner: XMLScanner) -> ParsingError {
        let what = root.name == .html ? "it is an HTML page" : "its root element is <\(scanner.foundName.prefix(80))>"
        return ParsingError(
            .wrongFormat,
            "the document is not a feed: \(what); <rss>, <feed> or <rdf:RDF> was expected",
            at: .of(scanner.tag.lowerBound, in: scanner.bytes)
        )
    }
}
