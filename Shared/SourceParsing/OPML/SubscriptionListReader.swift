// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Reads a list of subscriptions in OPML.
///
/// Unlike a feed, which is read as far as it goes, a list that is not well-formed is refused: half of somebody's
/// subscriptions would be mistaken for all of them.
final class SubscriptionListReader: XMLHandler {
    /// A title goes on with at most so many characters.
    private static let maximumTitleCharacters = 200

    private let documentURL: String
    private var hasRoot = false
    private var refusal: ParsingError?
    private var list = SubscriptionList()
    /// The names of the outlines that are open; nil for one without a name.
    private var groups: [String?] = []
    private var isInHead = false
    private var title: String?

    private init(documentURL: String) {
        self.documentURL = documentURL
    }

    /// The list in a document of UTF-8 bytes.
    static func read(_ bytes: [UInt8], documentURL: String) throws(ParsingError) -> SubscriptionList {
        let reader = SubscriptionListReader(documentURL: documentURL)
        guard bytes.contains(where: { $0 > UInt8(ascii: " ") }) else {
            throw ParsingError(
                kind: .empty,
                message: "the document is empty: an OPML list was expected",
                documentURL: documentURL
            )
        }
        let end = XMLReader.read(bytes, handler: reader)
        if let refusal = reader.refusal { throw refusal }
        guard let problem = end.firstProblem else {
            if reader.hasRoot { return reader.list }
            throw ParsingError(
                kind: .wrongFormat,
                message: "not an OPML list: there is no XML element in it",
                documentURL: documentURL
            )
        }
        throw ParsingError(
            kind: .wrongFormat,
            message: (reader.hasRoot ? "the OPML list is not well-formed: " : "not an OPML list: ") + problem.message,
            documentURL: documentURL,
            line: problem.line,
            column: problem.column
        )
    }

    func start(_ element: XMLElement) -> XMLProgress {
        guard hasRoot else {
            hasRoot = element.name == "opml"
            if !hasRoot {
                refusal = ParsingError(
                    kind: .wrongFormat,
                    message: "not an OPML list: its root element is <\(element.qualifiedName.prefix(100))>; <opml> was "
                        + "expected",
                    documentURL: documentURL,
                    line: element.line,
                    column: element.column
                )
            }
            return hasRoot ? .goOn : .stop
        }
        switch element.name {
        case "head": isInHead = true
        case "title" where isInHead: title = ""
        case "outline": return outline(element)
        default: break
        }
        return .goOn
    }

    private func outline(_ element: XMLElement) -> XMLProgress {
        let name = ["title", "text"].lazy.compactMap { element.attribute($0).flatMap(Self.name) }.first
        defer { groups.append(name) }
        guard let url = element.attribute("xmlurl").map(PlainText.trimmed), !url.isEmpty else { return .goOn }
        list.subscriptions.append(
            SubscriptionList.Subscription(
                title: name,
                feedURL: url,
                groups: groups.compactMap { $0 },
                line: element.line
            )
        )
        guard list.subscriptions.count < SubscriptionList.maximumSubscriptions else {
            refusal = ParsingError(
                kind: .tooComplex,
                message: "the list has \(SubscriptionList.maximumSubscriptions) subscriptions or more",
                documentURL: documentURL,
                line: element.line
            )
            return .stop
        }
        return .goOn
    }

    func characters(_ text: String) {
        title?.append(text)
    }

    func end(_ name: String) {
        switch name.lowercased() {
        case "head": isInHead = false
        case "title":
            if let title { list.title = Self.name(title) }
            title = nil
        case "outline": _ = groups.popLast()
        default: break
        }
    }

    /// Readers write markup into names now and then.
    private static func name(_ text: String) -> String? {
        PlainText.fromHTML(text, limit: maximumTitleCharacters).shortened(to: maximumTitleCharacters)
    }
}

extension SourceParser {
    /// The subscriptions in an OPML document, in any encoding; `documentURL` names it in errors.
    public static func parseSubscriptions(
        _ bytes: [UInt8],
        documentURL: String
    ) throws(ParsingError) -> SubscriptionList {
        let decoded = CharacterEncoding.decode(bytes, charset: nil)
        return try SubscriptionListReader.read(decoded, documentURL: documentURL)
    }
}
