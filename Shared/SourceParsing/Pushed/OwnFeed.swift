// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials
internal import JSON
import Text
internal import WidgetSchema

/// A feed that a person or a script wrote as JSON; unlike in a document of an origin, each mistake is an error.
///
/// The JSON has one of these forms:
/// - content as on the bus: `{"kind": "feed", "feed": {…}}`
/// - the output of `tidings inspect`: `{"feed": {…}, "items": […]}`
/// - a feed: `{"title": …, "items": […]}`
/// - only the items of a feed: `[…]`
struct OwnFeed {
    private static let feedKeys = ["title", "link", "items", "hasContent"]
    private static let itemKeys = ["id", "title", "link", "author", "published", "updated", "summary"]
    private static let maximumIDBytes = 512
    /// The words of other formats by the member that has the same meaning; in lower case, without `-` and `_`.
    private static let otherWords = [
        "items": "posts entries articles stories list", "title": "name headline subject",
        "link": "url href homepageurl permalink", "id": "guid", "author": "authors creator by",
        "published": "date pubdate datepublished publishedat created createdat time timestamp",
        "updated": "datemodified modified updatedat", "summary": "description text body content contenttext excerpt",
    ]

    /// An error with its byte offset in the JSON text; its line and column are not known yet.
    ///
    /// At the end, `placedFaults` computes the lines and columns of all errors in one pass.
    private struct UnplacedFault {
        var offset: Int
        var path: String
        var message: String
    }

    private var faults: [UnplacedFault] = []
    private var feed = ParsedFeed()
    /// A Boolean value that indicates whether summaries and contents are HTML, as in the output of `tidings inspect`.
    private var hasMarkup = false

    /// Returns whether a JSON document is a feed of this form; a JSON Feed is not.
    ///
    /// Also returns true if the bytes are not valid JSON, because the errors of `read` have places.
    static func isOwn(_ json: [UInt8]) -> Bool {
        guard let root = (try? JSONDocument(json))?.root, root.kind == .object else { return true }
        let members = root.members("version", "items", "home_page_url", "feed_url")
        if members["version"]?.string?.lowercased().contains("jsonfeed") == true { return false }
        return members["items"] == nil || (members["home_page_url"] == nil && members["feed_url"] == nil)
    }

    /// Returns the feed in a JSON document; throws all its errors at once.
    static func read(_ json: [UInt8]) throws(DocumentFaults) -> FeedContent {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(json)
        } catch {
            throw DocumentFaults([ParsingError(.wrongFormat, error.message, at: .of(error.offset, in: json))])
        }
        var reader = OwnFeed()
        reader.take(document.root)
        guard reader.faults.isEmpty else { throw reader.placedFaults(in: json) }
        return SourceParser.content(of: reader.feed, documentURL: "")
    }

    private func placedFaults(in bytes: [UInt8]) -> DocumentFaults {
        let places = JSONPlace.all(of: faults.map(\.offset), in: bytes)
        return DocumentFaults(
            faults.map { fault in
                let message = fault.path.isEmpty ? fault.message : "\(fault.path): \(fault.message)"
                return ParsingError(.wrongFormat, message, at: places[fault.offset])
            }
        )
    }

    private mutating func take(_ json: JSONValue) {
        switch json.kind {
        case .array: takeItems(json, "items")
        case .object:
            var names: Set<String> = []
            json.forEachMember { name, _ in
                names.insert(name)
                return true
            }
            if names.contains("kind") {
                takeContent(json)
            } else if names.contains("feed") {
                takeInspected(json)
            } else {
                takeFeed(json, "", keys: Self.feedKeys)
            }
        default: fault(json, "", "the value is \(json.kindName); an object or an array of items was expected")
        }
    }

    private mutating func takeContent(_ json: JSONValue) {
        let members = object(json, "", keys: ["kind", "feed"])
        if let kind = members["kind"], let text = string(kind, "kind"), WidgetKind(rawValue: text) == nil {
            let hint = EditDistance.hint(for: text, among: WidgetKind.allCases.map(\.rawValue))
            fault(kind, "kind", "'\(text)' is not a kind\(hint)")
        } else if let kind = members["kind"], let text = kind.string, text != WidgetKind.feed.rawValue {
            return fault(kind, "kind", "the content is of kind \(text); kind feed was expected")
        }
        guard let feed = members["feed"] else { return fault(json, "feed", "the feed is missing") }
        takeFeed(feed, "feed", keys: Self.feedKeys)
    }

    private mutating func takeInspected(_ json: JSONValue) {
        hasMarkup = true
        let members = object(json, "", keys: ["feed", "items"])
        if let feed = members["feed"] {
            let head = object(feed, "feed", keys: ["title", "link", "subtitle", "items"])
            takeHead(head, "feed")
            if let items = head["items"] { takeItems(items, "feed.items") }
            if members["items"] == nil, head["items"] == nil { fault(json, "items", "the items are missing") }
        }
        if let items = members["items"] { takeItems(items, "items") }
    }

    private mutating func takeFeed(_ json: JSONValue, _ path: String, keys: [String]) {
        guard json.kind == .object else {
            return fault(json, path, "the value is \(json.kindName); an object was expected")
        }
        let members = object(json, path, keys: keys)
        takeHead(members, path)
        guard let items = members["items"] else { return fault(json, join(path, "items"), "the items are missing") }
        takeItems(items, join(path, "items"))
    }

    private mutating func takeHead(_ members: [String: JSONValue], _ path: String) {
        feed.title = members["title"].flatMap { string($0, join(path, "title")) }.map { MarkedText($0, .plain) }
        feed.link = members["link"].flatMap { link($0, join(path, "link")) }
        feed.hasContent = members["hasContent"].flatMap { flag($0, join(path, "hasContent")) }
    }

    private mutating func takeItems(_ json: JSONValue, _ path: String) {
        guard json.kind == .array else {
            return fault(json, path, "the value is \(json.kindName); an array was expected")
        }
        var elements: [JSONValue] = []
        json.forEachElement { _, element in
            elements.append(element)
            return true
        }
        if elements.count > FeedContent.maximumItems, !hasMarkup {
            fault(
                json,
                path,
                "the array has \(elements.count) items; the maximum is \(FeedContent.maximumItems)"
            )
        }
        var places: [String: String] = [:]
        for (index, element) in elements.enumerated() {
            let place = "\(path)[\(index)]"
            guard element.kind == .object else {
                fault(element, place, "the value is \(element.kindName); an object was expected")
                continue
            }
            let item = item(element, place)
            if let id = item.id, let first = places.updateValue(place, forKey: id), !hasMarkup {
                fault(element, "\(place).id", "'\(id)' is also the id of \(first); ids must be unique")
            }
            feed.items.append(item)
        }
    }

    private mutating func item(_ json: JSONValue, _ path: String) -> ParsedItem {
        let members = object(json, path, keys: Self.itemKeys + (hasMarkup ? ["content"] : []))
        func text(_ key: String, _ parser: (inout OwnFeed, JSONValue, String) -> String?) -> String? {
            members[key].flatMap { parser(&self, $0, "\(path).\(key)") }
        }
        var item = ParsedItem()
        item.id = text("id") { $0.string($1, $2) }
        if let id = item.id, id.utf8.count > Self.maximumIDBytes, !hasMarkup {
            fault(json, "\(path).id", "the id has \(id.utf8.count) bytes; the maximum is \(Self.maximumIDBytes)")
        }
        item.title = text("title") { $0.string($1, $2) }.map { MarkedText($0, .plain) }
        item.author = text("author") { $0.string($1, $2) }
        item.link = text("link") { $0.link($1, $2) }
        let markup: MarkedText.Markup = hasMarkup ? .html : .plain
        item.summary = text("summary") { $0.string($1, $2) }.map { MarkedText($0, markup) }
        item.content = text("content") { $0.string($1, $2) }.map { MarkedText($0, markup) }
        item.published = members["published"].flatMap { date($0, "\(path).published") }
        item.updated = members["updated"].flatMap { date($0, "\(path).updated") }
        let texts = [item.title?.text, item.summary?.text, item.content?.text, item.link]
        // An error in the item, such as a misspelled title, says enough.
        if texts.allSatisfy({ $0?.contains { !$0.isWhitespace } != true }),
            !faults.contains(where: { $0.path.hasPrefix(path + ".") })
        {
            fault(json, path, "the item has nothing to show; give it a title, a summary or a link")
        }
        return item
    }

    // MARK: Values

    private mutating func fault(_ value: JSONValue, _ path: String, _ message: String) {
        fault(at: value.start, path, message)
    }

    private mutating func fault(at offset: Int, _ path: String, _ message: String) {
        faults.append(UnplacedFault(offset: offset, path: path, message: message))
    }

    private func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// Returns the members of a JSON object by name, except those that are null.
    ///
    /// `keys` are the allowed names. Other names and repeated names are reported as errors. `path` is the path of the
    /// object in the JSON text, for these errors. If `json` is not an object, reports an error and returns no members.
    private mutating func object(_ json: JSONValue, _ path: String, keys: [String]) -> [String: JSONValue] {
        guard json.kind == .object else {
            fault(json, path, "the value is \(json.kindName); an object was expected")
            return [:]
        }
        var found: [String: JSONValue] = [:]
        var seen: Set<String> = []
        json.forEachPlacedMember { member in
            let place = join(path, member.name)
            if !seen.insert(member.name).inserted {
                fault(at: member.nameStart, place, "the name occurs twice")
            } else if !keys.contains(member.name) {
                let near = Self.correction(of: member.name, among: keys).map { "; did you mean '\($0)'?" }
                fault(at: member.nameStart, place, "unknown" + (near ?? "; there are \(keys.joined(separator: ", "))"))
            } else if !member.value.isNull {
                found[member.name] = member.value
            }
            return true
        }
        return found
    }

    /// Returns the name that was probably meant; nil if there is none.
    private static func correction(of name: String, among keys: [String]) -> String? {
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        let known = keys.first { otherWords[$0]?.split(separator: " ").contains { $0 == plain } == true }
        return known ?? EditDistance.closest(to: name, among: keys)
    }

    private mutating func string(_ json: JSONValue, _ path: String) -> String? {
        guard let text = json.string else {
            fault(json, path, "the value is \(json.kindName); a string was expected")
            return nil
        }
        return text
    }

    private mutating func flag(_ json: JSONValue, _ path: String) -> Bool? {
        guard let flag = json.flag else {
            fault(json, path, "the value is \(json.kindName); true or false was expected")
            return nil
        }
        return flag
    }

    private mutating func link(_ json: JSONValue, _ path: String) -> String? {
        guard let text = string(json, path) else { return nil }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", parts.host?.isEmpty == false
        else {
            fault(json, path, "'\(text)' is not an absolute http or https URL")
            return nil
        }
        return text
    }

    private mutating func date(_ json: JSONValue, _ path: String) -> Instant? {
        guard let text = string(json, path) else { return nil }
        guard let date = Instant(text) else {
            fault(json, path, "'\(text)' is not an RFC 3339 date and time, such as 2026-11-21T00:49:16Z")
            return nil
        }
        return date
    }
}
