// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials
internal import JSON

/// A reader for an OPML file, in which a feed reader has exported its list of feeds.
///
/// A list that is not well-formed XML is rejected, because an incomplete list would be mistaken for the complete one.
/// In contrast, `FeedReader` accepts feeds that are not well-formed.
struct FeedListReader {
    /// The maximum number of characters of each title: of the list, of a group or of a feed.
    ///
    /// A longer title is cut and ends with an ellipsis.
    private static let maximumTitleCharacters = 200
    /// The approximate maximum size of the list's own title in bytes; the rest of a longer title is ignored.
    private static let maximumTitleBytes = 64 * 1024
    /// The maximum number of groups that are stored for each feed, beginning with the outermost one.
    ///
    /// Without this limit, each feed in a deeply nested document would store the names of all levels.
    private static let maximumGroups = 16

    private var scanner: XMLScanner
    private var hasRoot = false
    private var list = FeedList()
    /// The `outline` elements that have begun but not ended, outermost first.
    ///
    /// `name` is nil for an element without a name. `depth` is the nesting depth of the element in the document; the
    /// root element has depth 1.
    private var outlines: [(name: String?, depth: Int)] = []
    private var headDepth: Int?
    private var titleDepth: Int?
    private var title = XMLTextDecoder()
    /// The offset up to which lines were counted, and the line number at this offset.
    ///
    /// The next count continues at this offset, so that each line is counted once.
    private var counted = (offset: 0, line: 1)

    private init(_ scanner: XMLScanner) {
        self.scanner = scanner
        // Feed readers often write titles without escaping them; `text="The "Best" Blog"` is common.
        self.scanner.allowsUnescapedQuotes = true
    }

    /// Returns the list in a document of UTF-8 bytes.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, work: ParsingWork) throws(ParsingError) -> FeedList {
        guard bytes.contains(where: { $0 > UInt8(ascii: " ") }) else {
            throw ParsingError(.empty, "the document is empty: an OPML list was expected")
        }
        var reader = FeedListReader(XMLScanner(bytes, work: work))
        try reader.run()
        return reader.list
    }

    private mutating func run() throws(ParsingError) {
        while true {
            switch scanner.next() {
            case .start: try start()
            case .text(let characters): append(characters)
            case .end(let depth): end(depth)
            case .finish:
                try scanner.work.check()
                guard hasRoot else {
                    throw error("the document is not an OPML list: it has no XML element", at: nil)
                }
                guard let problem = scanner.firstProblem else { return }
                throw error("the OPML list is not well-formed: \(problem.message)", at: problem.offset)
            }
        }
    }

    private mutating func append(_ characters: XMLText) {
        guard titleDepth != nil, title.count < Self.maximumTitleBytes else { return }
        scanner.decode(characters, into: &title)
    }

    private mutating func start() throws(ParsingError) {
        guard hasRoot else {
            hasRoot = scanner.name.local == .opml
            guard !hasRoot else { return }
            let found = scanner.foundName.prefix(100)
            throw error(
                "the document is not an OPML list: its root element is <\(found)>; <opml> was expected",
                at: scanner.tag.lowerBound
            )
        }
        switch scanner.name.local {
        case .head: headDepth = scanner.depth
        case .title where headDepth != nil:
            titleDepth = scanner.depth
            title.clear()
        case .outline: try outline(scanner.element())
        default: return
        }
    }

    private mutating func outline(_ element: XMLElement) throws(ParsingError) {
        let name = [XMLName.title, .text].lazy.compactMap { element.attribute($0).flatMap(Self.name) }.first
        defer { outlines.append((name, scanner.depth)) }
        guard let url = element.attribute(.xmlurl).map(PlainText.trimmed), !url.isEmpty else { return }
        guard list.entries.count < FeedList.maximumEntries else {
            throw error(
                "the list has more than \(FeedList.maximumEntries) subscriptions",
                kind: .tooComplex,
                at: scanner.tag.lowerBound
            )
        }
        list.entries.append(
            FeedList.Entry(
                title: name,
                feedURL: Self.webAddress(url),
                groups: Array(outlines.lazy.compactMap(\.name).prefix(Self.maximumGroups)),
                line: line(of: scanner.tag.lowerBound)
            )
        )
    }

    private mutating func line(of offset: Int) -> Int {
        counted.line += scanner.bytes[counted.offset..<offset].count { $0 == UInt8(ascii: "\n") }
        counted.offset = offset
        return counted.line
    }

    private mutating func end(_ depth: Int) {
        if let open = titleDepth, open >= depth {
            list.title = Self.name(title.string)
            titleDepth = nil
        }
        if let open = headDepth, open >= depth { headDepth = nil }
        while let open = outlines.last, open.depth >= depth { outlines.removeLast() }
    }

    private func error(_ message: String, kind: ParsingError.Kind = .wrongFormat, at offset: Int?) -> ParsingError {
        ParsingError(kind, message, at: offset.map { .of($0, in: scanner.bytes) })
    }

    /// Returns the URL with `feed:https://…` replaced by `https://…`, or `feed://…` by `http://…`.
    private static func webAddress(_ url: String) -> String {
        let scheme = "feed:"
        guard url.prefix(scheme.count).lowercased() == scheme else { return url }
        let rest = url.dropFirst(scheme.count)
        return rest.hasPrefix("//") ? "http:\(rest)" : String(rest)
    }

    /// Returns a title without markup, cut to `maximumTitleCharacters`; nil if no text remains.
    ///
    /// `text` is the title of the list, of a group or of a feed as it is in the document. Some feed readers write HTML
    /// into titles.
    private static func name(_ text: String) -> String? {
        PlainText.fromHTML(text, limit: maximumTitleCharacters).shortened(to: maximumTitleCharacters)
    }
}

extension SourceParser {
    /// Returns the feeds in an OPML document, which may have any encoding.
    public static func parseFeedList(
        _ bytes: [UInt8],
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> FeedList {
        let body = SourceBody(Data(bytes), contentType: nil, documentURL: "")
        return try withDocument(body, work: work) { document throws(ParsingError) in
            try FeedListReader.read(document, work: work)
        }
    }
}
