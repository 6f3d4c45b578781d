// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Text
import WidgetSchema

/// The keys in a widget's entry that set its parsing and its layout; some are valid for one kind only.
struct KindKeys {
    /// The keys that are valid for one kind only, each with this kind.
    private static let kindSpecificKeys: [(key: String, kind: WidgetKind)] = [
        ("values", .keyValue), ("show", .keyValue), ("items", .json), ("actions", .documents),
        ("allowIncomplete", .feed), ("order", .feed),
    ]
    /// The names of all keys: the keys that are valid for one kind only, and the keys that are valid for every kind.
    static let known =
        kindSpecificKeys.map(\.key) + ["name", "symbol", "insets", "link", "hideWhenEmpty", "dateStyle", "private"]

    private static let pointers = ["list", "id", "title", "subtitle", "link", "date"]

    /// The formats in which the title or the subtitle of a row can be shown.
    private enum ValueFormat: String, CaseIterable {
        case text, decimal, percent, bytes, date
    }

    /// The formats that the dates in a source's document can have.
    private enum DateFormat: String, CaseIterable {
        case rfc3339, rfc822, unixSeconds, unixMilliseconds
    }

    /// The way in which the widget's source is parsed.
    private(set) var parsing: Parsing
    private(set) var name: String?
    private(set) var symbol: String?
    private(set) var actions: [QuickAction]?
    private(set) var insets: InsetsOverride?
    private(set) var link: String?
    private(set) var hideWhenEmpty: Bool?
    private(set) var dateStyle: DateStyle?
    private(set) var show: ShownPairs?
    private(set) var isPrivate: Bool?
    /// The icons whose names are unknown or probably misspelled, with their places in the file.
    private(set) var unknownIcons: [(icon: String, mark: YAMLMark, instead: String)] = []

    /// The widget that has the keys.
    struct Owner {
        /// The name of the widget in errors: `widget 'blog'`.
        let name: String
        let kind: WidgetKind
        /// The time zone that determines the days of a forecast.
        let timeZone: String
    }

    /// Reads the keys and reports errors to `nodes`.
    init(_ keys: [String: YAMLNode.Entry], of owner: Owner, _ nodes: inout NodeDecoder) {
        let (what, kind) = (owner.name, owner.kind)
        parsing = Parsing(kind: kind)
        for (key, other) in Self.kindSpecificKeys where other != kind {
            guard let entry = keys[key] else { continue }
            nodes.fail(
                entry.keyMark,
                "\(key) is valid only for kind \(other.rawValue), but \(what) is of kind \(kind.rawValue)"
            )
        }
        name = keys["name"].flatMap { nodes.name($0.value) }
        if let entry = keys["symbol"], let name = nodes.text(entry.value, entry.key) {
            symbol = name
            if Self.isUnknown(icon: name) { unknownIcons.append((name, entry.value.mark, "that of the kind")) }
        }
        insets = keys["insets"].map { nodes.insets($0.value) }
        link = keys["link"].flatMap { Self.link($0, &nodes) }
        hideWhenEmpty = keys["hideWhenEmpty"].flatMap { nodes.flag($0.value, $0.key) }
        dateStyle = keys["dateStyle"].flatMap { nodes.choice($0.value, $0.key, DateStyle.self) }
        isPrivate = keys["private"].flatMap { nodes.flag($0.value, $0.key) }
        switch kind {
        case .quote: break
        case .feed:
            let allows = keys["allowIncomplete"].flatMap { nodes.flag($0.value, $0.key) }
            let order = keys["order"].flatMap { nodes.choice($0.value, $0.key, FeedParsing.Order.self) }
            parsing = .feed(FeedParsing(allowsIncomplete: allows ?? false, order: order ?? .date))
        case .forecast: parsing = .forecast(ForecastParsing(timeZone: owner.timeZone))
        case .keyValue:
            if let entry = keys["values"] {
                parsing = .keyValue(KeyValueParsing(values: Self.values(entry.value, &nodes)))
            }
            show = keys["show"].flatMap { nodes.choice($0.value, $0.key, ShownPairs.self) }
        case .documents: actions = keys["actions"].map { self.actions($0.value, &nodes) }
        case .json:
            if let entry = keys["items"] {
                parsing = .json(Self.items(entry.value, &nodes))
            } else if let entry = keys["kind"] {
                nodes.fail(entry.keyMark, "\(what) has no items (a mapping with the JSON Pointers list and title)")
            }
        }
    }

    /// Returns the values in `node`, which is the value of the key `values`: a JSON Pointer for each label.
    private static func values(_ node: YAMLNode, _ nodes: inout NodeDecoder) -> [KeyValueParsing.Value] {
        let entries = nodes.entries(node, "values")
        if entries.isEmpty {
            nodes.fail(node.mark, "values is empty; remove the key to show all values of the document")
        }
        if entries.count > KeyValueContent.maximumPairs {
            nodes.fail(node.mark, "more than \(KeyValueContent.maximumPairs) values")
        }
        return entries.compactMap { entry in
            if let problem = KeyValueParsing.problem(label: entry.key) { nodes.fail(entry.keyMark, problem.message) }
            return pointer(entry.value, "values.\(entry.key)", &nodes).map { .init(label: entry.key, pointer: $0) }
        }
    }

    private static func items(_ node: YAMLNode, _ nodes: inout NodeDecoder) -> RowsParsing? {
        let keys = nodes.mapping(node, "items", known: pointers)
        var fields: [String: RowsParsing.Field] = [:]
        for key in pointers {
            guard let entry = keys[key] else { continue }
            var place = entry.value
            var format: String?
            if case .mapping = place.content {
                let parts = nodes.mapping(place, key, known: ["pointer", "format"])
                if let entry = parts["format"] {
                    switch key {
                    case "title", "subtitle":
                        format = nodes.choice(entry.value, entry.key, ValueFormat.self)?.rawValue
                    case "date": format = nodes.choice(entry.value, entry.key, DateFormat.self)?.rawValue
                    default: nodes.fail(entry.keyMark, "\(key) has no format; title, subtitle and date have one")
                    }
                }
                guard let inner = parts["pointer"] else {
                    nodes.fail(place.mark, "\(key) has no pointer, such as /name")
                    continue
                }
                place = inner.value
            }
            fields[key] = pointer(place, key, &nodes).map {
                .init($0, format.flatMap(RowsParsing.Format.init(rawValue:)))
            }
        }
        if keys["title"] == nil { nodes.fail(node.mark, "items has no title (a JSON Pointer, such as /name)") }
        guard let title = fields["title"] else { return nil }
        return RowsParsing(
            list: fields["list"]?.pointer,
            title: title,
            subtitle: fields["subtitle"],
            link: fields["link"]?.pointer,
            date: fields["date"],
            id: fields["id"]?.pointer
        )
    }

    /// Returns the JSON Pointer (RFC 6901) in a node; nil if it is invalid.
    ///
    /// An empty pointer means the whole document. An invalid pointer is reported to `nodes`, with `what` as the name of
    /// the value in the error message.
    private static func pointer(_ node: YAMLNode, _ what: String, _ nodes: inout NodeDecoder) -> JSONPointer? {
        if case .scalar("", _) = node.content, !node.isNull { return .root }
        guard let text = nodes.text(node, what) else { return nil }
        do throws(ParsingOptionError) {
            return try JSONPointer(text)
        } catch {
            nodes.fail(node.mark, "\(what): \(error)")
            return nil
        }
    }

    /// Returns whether an icon is unknown: it has no symbol, or its name is probably misspelled.
    ///
    /// A name that is not in ``SymbolCatalog/names`` can still have a symbol: `cloud.purple` has the symbol of `cloud`.
    /// Such a name is probably misspelled if it resembles a name in the catalog.
    private static func isUnknown(icon: String) -> Bool {
        guard !SymbolCatalog.names.contains(icon) else { return false }
        return !SymbolCatalog.draws(icon) || EditDistance.closest(to: icon, among: SymbolCatalog.names) != nil
    }

    private static func link(_ entry: YAMLNode.Entry, _ nodes: inout NodeDecoder) -> String? {
        guard let link = nodes.text(entry.value, entry.key) else { return nil }
        guard LinkSchemes.isOfTheWebOrAnApp(link), link.contains("://") else {
            nodes.fail(
                entry.value.mark,
                "'\(link)' is not a link: write https://HOST/PATH, or SCHEME:// of an app, such as weatherwidget://"
            )
            return nil
        }
        return link
    }

    private mutating func actions(_ node: YAMLNode, _ nodes: inout NodeDecoder) -> [QuickAction] {
        guard let items = nodes.items(node, "actions") else { return [] }
        if !ConfigurationLimits.actions.contains(items.count) {
            let range = ConfigurationLimits.actions
            nodes.fail(
                node.mark,
                "actions must contain \(range.lowerBound) to \(range.upperBound) actions, not \(items.count)"
            )
        }
        return items.compactMap { item in
            let keys = nodes.mapping(item, "an action", known: ["title", "icon", "url"])
            for key in ["title", "icon", "url"] where keys[key] == nil {
                nodes.fail(item.mark, "the action has no \(key)")
            }
            guard let title = keys["title"].flatMap({ nodes.text($0.value, $0.key) }),
                let icon = keys["icon"].flatMap({ nodes.text($0.value, $0.key) }),
                let place = keys["url"], let url = nodes.text(place.value, place.key)
            else { return nil }
            if let mark = keys["icon"]?.value.mark, Self.isUnknown(icon: icon) {
                unknownIcons.append((icon, mark, "a square"))
            }
            guard LinkSchemes.isOfTheWebOrAnApp(url) else {
                nodes.fail(
                    place.value.mark,
                    "'\(url)' is neither an http or https address nor a link with an app's own scheme"
                )
                return nil
            }
            return QuickAction(title: VisibleText.normalized(title), icon: icon, url: url)
        }
    }
}
