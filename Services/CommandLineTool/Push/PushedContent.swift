// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import SourceParsing
import WidgetSchema

/// Content that a person or a script wrote, validated and converted to the form of fetched content.
///
/// It may have four forms: content as on the bus, `{"kind": "feed", "feed": {…}}`; the output of `tidings inspect`,
/// `{"feed": {…}, "items": […]}`; a feed, `{"title": …, "items": […]}`; and only its items, `[…]`.
struct PushedContent {
    /// One error, with its place.
    struct Fault: Error, Hashable, Comparable, CustomStringConvertible {
        var mark: PlacedJSON.Mark
        /// A path such as `items[2].link`; empty for the whole document.
        var path: String
        var message: String

        var description: String { "\(mark): \(path.isEmpty ? "" : "\(path): ")\(message)" }

        static func < (left: Fault, right: Fault) -> Bool {
            (left.mark, left.path, left.message) < (right.mark, right.path, right.message)
        }
    }

    /// All errors, ordered by place.
    struct Faults: Error, Hashable {
        var faults: [Fault]
    }

    private static let feedKeys = ["title", "link", "items", "hasContent"]
    private static let itemKeys = ["id", "title", "link", "author", "published", "updated", "summary"]
    private static let maximumIDBytes = 512

    private var faults: [Fault] = []
    private var feed = ParsedFeed()
    /// A Boolean value that indicates whether summaries are HTML, as in the output of `tidings inspect`.
    private var hasMarkup = false

    /// Returns the kind that a text names for itself; nil if it names none.
    static func kind(of text: String) -> WidgetKind? {
        guard let json = try? PlacedJSONReader.read(text), case .object(let members) = json.value,
            case .string(let word)? = members.last(where: { $0.name == "kind" })?.value.value
        else { return nil }
        return WidgetKind(rawValue: word)
    }

    static func read(_ text: String) throws(Faults) -> Content {
        let json: PlacedJSON
        do throws(PlacedJSONReader.Problem) {
            json = try PlacedJSONReader.read(text)
        } catch {
            throw Faults(faults: [Fault(mark: error.mark, path: "", message: error.message)])
        }
        var content = PushedContent()
        content.take(json)
        guard content.faults.isEmpty else { throw Faults(faults: content.faults.sorted()) }
        return .feed(SourceParser.content(of: content.feed, documentURL: ""))
    }

    // MARK: Forms

    private mutating func take(_ json: PlacedJSON) {
        switch json.value {
        case .array: takeItems(json, "items")
        case .object(let members):
            let names = Set(members.map(\.name))
            if names.contains("kind") {
                takeContent(json)
            } else if names.contains("feed") {
                takeInspected(json)
            } else {
                takeFeed(json, "", keys: Self.feedKeys)
            }
        default: fault(json.mark, "", "it is \(json.kind); an object or an array of items was expected")
        }
    }

    private mutating func takeContent(_ json: PlacedJSON) {
        let members = object(json, "", keys: ["kind", "feed"])
        if let kind = members["kind"], let text = string(kind, "kind"), WidgetKind(rawValue: text) == nil {
            let kinds = WidgetKind.allCases.map(\.rawValue)
            let near = EditDistance.closest(to: text, among: kinds).map { "; did you mean '\($0)'?" }
            fault(kind.mark, "kind", "'\(text)' is no kind" + (near ?? "; there are \(kinds.joined(separator: ", "))"))
        }
        guard let feed = members["feed"] else { return fault(json.mark, "feed", "it is missing") }
        takeFeed(feed, "feed", keys: Self.feedKeys)
    }

    private mutating func takeInspected(_ json: PlacedJSON) {
        hasMarkup = true
        let members = object(json, "", keys: ["feed", "items"])
        if let feed = members["feed"] {
            let head = object(feed, "feed", keys: ["title", "link", "subtitle", "items"])
            takeHead(head, "feed")
            if let items = head["items"] { takeItems(items, "feed.items") }
            if members["items"] == nil, head["items"] == nil { fault(json.mark, "items", "they are missing") }
        }
        if let items = members["items"] { takeItems(items, "items") }
    }

    private mutating func takeFeed(_ json: PlacedJSON, _ path: String, keys: [String]) {
        guard case .object = json.value else {
            return fault(json.mark, path, "it is \(json.kind); an object was expected")
        }
        let members = object(json, path, keys: keys)
        takeHead(members, path)
        guard let items = members["items"] else { return fault(json.mark, join(path, "items"), "they are missing") }
        takeItems(items, join(path, "items"))
    }

    private mutating func takeHead(_ members: [String: PlacedJSON], _ path: String) {
        feed.title = members["title"].flatMap { string($0, join(path, "title")) }.map { MarkedText($0, .plain) }
        feed.link = members["link"].flatMap { link($0, join(path, "link")) }
        feed.hasContent = members["hasContent"].flatMap { flag($0, join(path, "hasContent")) }
    }

    private mutating func takeItems(_ json: PlacedJSON, _ path: String) {
        guard case .array(let elements) = json.value else {
            return fault(json.mark, path, "it is \(json.kind); an array was expected")
        }
        if elements.count > FeedContent.maximumItems, !hasMarkup {
            fault(json.mark, path, "it has \(elements.count) items; a widget keeps at most \(FeedContent.maximumItems)")
        }
        var places: [String: String] = [:]
        for (index, element) in elements.enumerated() {
            let place = "\(path)[\(index)]"
            guard case .object = element.value else {
                fault(element.mark, place, "it is \(element.kind); an object was expected")
                continue
            }
            let item = item(element, place)
            if let id = item.id, let first = places.updateValue(place, forKey: id), !hasMarkup {
                fault(element.mark, "\(place).id", "'\(id)' is the id of \(first) too; ids are unique")
            }
            feed.items.append(item)
        }
    }

    private mutating func item(_ json: PlacedJSON, _ path: String) -> ParsedItem {
        let members = object(json, path, keys: Self.itemKeys + (hasMarkup ? ["content"] : []))
        func text(_ key: String, _ parser: (inout PushedContent, PlacedJSON, String) -> String?) -> String? {
            members[key].flatMap { parser(&self, $0, "\(path).\(key)") }
        }
        var item = ParsedItem()
        item.id = text("id") { $0.string($1, $2) }
        if let id = item.id, id.utf8.count > Self.maximumIDBytes, !hasMarkup {
            fault(json.mark, "\(path).id", "it has \(id.utf8.count) bytes; at most \(Self.maximumIDBytes) are kept")
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
        if texts.allSatisfy({ $0?.contains { !$0.isWhitespace } != true }),
            !["title", "summary", "link"].contains(where: { members[$0] != nil && members[$0]?.value != .null })
                || !faults.contains(where: { $0.path.hasPrefix(path + ".") })
        {
            fault(json.mark, path, "it has nothing to show: a title is missing")
        }
        return item
    }

    // MARK: Values

    private mutating func fault(_ mark: PlacedJSON.Mark, _ path: String, _ message: String) {
        faults.append(Fault(mark: mark, path: path, message: message))
    }

    private func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// Returns the members by name; a member that is null counts as absent.
    private mutating func object(_ json: PlacedJSON, _ path: String, keys: [String]) -> [String: PlacedJSON] {
        guard case .object(let members) = json.value else {
            fault(json.mark, path, "it is \(json.kind); an object was expected")
            return [:]
        }
        var found: [String: PlacedJSON] = [:]
        var seen: Set<String> = []
        for member in members {
            let place = join(path, member.name)
            if !seen.insert(member.name).inserted {
                fault(member.mark, place, "it is there twice")
            } else if !keys.contains(member.name) {
                let near = EditDistance.closest(to: member.name, among: keys).map { "; did you mean '\($0)'?" }
                fault(member.mark, place, "unknown" + (near ?? "; there are \(keys.joined(separator: ", "))"))
            } else if member.value.value != .null {
                found[member.name] = member.value
            }
        }
        return found
    }

    private mutating func string(_ json: PlacedJSON, _ path: String) -> String? {
        guard case .string(let text) = json.value else {
            fault(json.mark, path, "it is \(json.kind); a string was expected")
            return nil
        }
        return text
    }

    private mutating func flag(_ json: PlacedJSON, _ path: String) -> Bool? {
        guard case .boolean(let flag) = json.value else {
            fault(json.mark, path, "it is \(json.kind); true or false was expected")
            return nil
        }
        return flag
    }

    private mutating func link(_ json: PlacedJSON, _ path: String) -> String? {
        guard let text = string(json, path) else { return nil }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", parts.host?.isEmpty == false
        else {
            fault(json.mark, path, "'\(text)' is no absolute http or https URL")
            return nil
        }
        return text
    }

    private mutating func date(_ json: PlacedJSON, _ path: String) -> Instant? {
        guard let text = string(json, path) else { return nil }
        guard let date = Instant(text) else {
            fault(json.mark, path, "'\(text)' is no RFC 3339 date and time, such as 2026-11-21T00:49:16Z")
            return nil
        }
        return date
    }
}
