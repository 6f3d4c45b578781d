// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Reads a feed, JSON or XML; of XML it finds out its dialect, follows the elements, and collects the texts that the dialect asks for.
final class FeedReader: XMLHandler {
    /// One text of a feed is read up to so many bytes of UTF-8.
    static let maximumTextBytes = 1 << 20

    private struct Frame {
        let element: XMLElement
        let isItem: Bool
    }

    /// A text that is being collected.
    private struct Capture {
        let field: FeedField
        let form: TextForm
        let element: XMLElement
        /// Elements that are open within it.
        var depth = 0
        private(set) var text = ""

        init(field: FeedField, form: TextForm, element: XMLElement) {
            self.field = field
            self.form = form
            self.element = element
        }

        mutating func append(_ piece: String) {
            guard text.utf8.count < FeedReader.maximumTextBytes else { return }
            // Where elements are markup, characters within them have to be written as markup too.
            let isMarkup =
                switch form {
                case .plain: false
                case .html: depth > 0
                case .xhtml: true
                case .base64: false
                }
            text += isMarkup ? PlainText.escaped(piece) : piece
        }

        mutating func appendTag(_ tag: String) {
            guard text.utf8.count < FeedReader.maximumTextBytes else { return }
            switch form {
            case .plain, .base64: break
            case .html, .xhtml: text += tag
            }
        }

        /// The text as it is meant.
        consuming func finished() -> MarkedText {
            switch form {
            case .plain: MarkedText(text, .plain)
            case .html, .xhtml: MarkedText(text, .html)
            // What is no base64 says what it says.
            case .base64(let markup): MarkedText(Base64.decode(text) ?? text, markup)
            }
        }
    }

    private let documentURL: String
    private var dialect: (any FeedDialect)?
    private var frames: [Frame] = []
    private var capture: Capture?
    /// Elements that are open within a skipped one, itself counted.
    private var skippedDepth = 0
    private var refusal: ParsingError?

    private init(documentURL: String) {
        self.documentURL = documentURL
    }

    /// The feed in a document of UTF-8 bytes.
    static func read(_ bytes: [UInt8], documentURL: String) throws(ParsingError) -> ParsedFeed {
        let reader = FeedReader(documentURL: documentURL)
        guard bytes.contains(where: { $0 > UInt8(ascii: " ") }) else {
            throw ParsingError(
                kind: .empty,
                message: "the document is empty: an RSS, Atom or JSON feed was expected",
                documentURL: documentURL
            )
        }
        if bytes.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{") {
            return try JSONFeedDialect.read(bytes, documentURL: documentURL)
        }
        let repaired: [UInt8]
        do throws(XMLRepair.Refusal) {
            repaired = try XMLRepair.repair(bytes)
        } catch {
            throw ParsingError(
                kind: .tooComplex,
                message: "a tag has more than \(XMLRepair.maximumAttributes) attributes",
                documentURL: documentURL,
                line: error.line
            )
        }
        let end = XMLReader.read(repaired, handler: reader)
        return try reader.finish(end)
    }

    func start(_ element: XMLElement) -> XMLProgress {
        guard dialect != nil else { return startRoot(element) }
        if skippedDepth > 0 {
            // A missing end tag must not swallow the items that follow.
            guard isItem(element) else {
                skippedDepth += 1
                return .goOn
            }
            skippedDepth = 0
        }
        if capture != nil {
            guard isItem(element) else {
                capture?.depth += 1
                capture?.appendTag(element.startTag)
                return .goOn
            }
            capture = nil
        }
        guard let parent = frames.last?.element, let role = dialect?.role(of: element, in: parent) else {
            return .goOn
        }
        switch role {
        case .container:
            frames.append(Frame(element: element, isItem: false))
        case .skipped:
            skippedDepth = 1
        case .text(let field, let form):
            capture = Capture(field: field, form: form, element: element)
        case .item:
            if let open = frames.lastIndex(where: \.isItem) {
                frames.removeSubrange(open...)
                dialect?.draft.endItem()
            }
            guard (dialect?.draft.items.count ?? 0) < ParsedFeed.maximumItems else { return .stop }
            dialect?.draft.beginItem()
            dialect?.didBeginItem(element)
            frames.append(Frame(element: element, isItem: true))
        }
        return .goOn
    }

    func characters(_ text: String) {
        guard skippedDepth == 0 else { return }
        // In place: a copy of the text for each of its pieces would take quadratic time.
        capture?.append(text)
    }

    func end(_ name: String) {
        if skippedDepth > 0 {
            skippedDepth -= 1
            return
        }
        if let depth = capture?.depth, depth > 0 {
            capture?.appendTag("</\(name)>")
            capture?.depth = depth - 1
            return
        }
        if let done = capture {
            capture = nil
            dialect?.take(done.field, done.finished(), of: done.element)
            return
        }
        guard let frame = frames.popLast() else { return }
        if frame.isItem { dialect?.draft.endItem() }
    }

    private func finish(_ end: XMLReader.End) throws(ParsingError) -> ParsedFeed {
        if let refusal { throw refusal }
        guard var dialect else {
            var message = "not a feed: there is no XML element in it; RSS, Atom or JSON Feed was expected"
            if let problem = end.firstProblem { message += " (\(problem.message))" }
            throw ParsingError(
                kind: .wrongFormat,
                message: message,
                documentURL: documentURL,
                line: end.firstProblem?.line,
                column: end.firstProblem?.column
            )
        }
        if frames.contains(where: \.isItem) {
            // An item is open at the end because its end tag was taken for another's, or because the document was cut
            // off: then it may lack half of what it says.
            if end.hasMismatchedTags { dialect.draft.endItem() } else { dialect.draft.dropItem() }
        }
        return dialect.draft.finished(documentURL: documentURL)
    }

    private func startRoot(_ element: XMLElement) -> XMLProgress {
        switch (element.vocabulary, element.name) {
        case (.rss, "rss"), (.rss, "channel"): dialect = RSSDialect()
        case (.rdf, "rdf"): dialect = RDFDialect()
        case (.atom, "feed"), (.rss, "feed"): dialect = AtomDialect()
        default:
            let what = element.name == "html" ? "it is an HTML page" : "its root element is <\(element.qualifiedName)>"
            refusal = ParsingError(
                kind: .wrongFormat,
                message: "not a feed: \(what.prefix(100)); <rss>, <feed> or <rdf:RDF> was expected",
                documentURL: documentURL,
                line: element.line,
                column: element.column
            )
            return .stop
        }
        frames.append(Frame(element: element, isItem: false))
        return .goOn
    }

    private func isItem(_ element: XMLElement) -> Bool {
        dialect?.isItem(element) ?? false
    }
}
