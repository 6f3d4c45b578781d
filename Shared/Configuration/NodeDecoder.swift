// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Text
import WidgetSchema

/// A decoder for values in YAML nodes that collects all errors instead of stopping at the first.
///
/// If a value is invalid, a function reports an error and returns nil or an empty collection. The argument `what` is
/// the name of the value in the error message.
struct NodeDecoder {
    let file: String
    private(set) var errors: [ConfigurationError] = []

    init(file: String) { self.file = file }

    /// Reports an error at a place in the file.
    mutating func fail(_ mark: YAMLMark, _ message: String) {
        errors.append(ConfigurationError(.file(file, mark), message))
    }

    /// Returns the entries of a mapping by key.
    ///
    /// Keys that are not in `known` are errors; the error suggests the key that `foreign` names, or else the closest known
    /// key. The value of a key that `foreign` names is returned under the known name, so that its errors are found, too.
    mutating func mapping(
        _ node: YAMLNode,
        _ what: String,
        known: [String],
        foreign: ForeignWords = .none
    ) -> [String: YAMLNode.Entry] {
        var result: [String: YAMLNode.Entry] = [:]
        var renamed: [String: YAMLNode.Entry] = [:]
        for entry in entries(node, what) {
            if known.contains(entry.key) {
                result[entry.key] = entry
            } else if let advice = foreign[entry.key] {
                let remedy: String
                switch advice {
                case .key(let key):
                    renamed[key] = entry
                    remedy = "did you mean '\(key)'?"
                case .text(let text): remedy = text
                }
                fail(entry.keyMark, "unknown key '\(entry.key)' in \(what); \(remedy)")
            } else if let suggestion = EditDistance.closest(to: entry.key, among: known) {
                fail(entry.keyMark, "unknown key '\(entry.key)' in \(what); did you mean '\(suggestion)'?")
            } else {
                fail(
                    entry.keyMark,
                    "unknown key '\(entry.key)' in \(what); known keys: \(known.joined(separator: ", "))"
                )
            }
        }
        return result.merging(renamed) { known, _ in known }
    }

    /// Returns the entries of a mapping whose keys the user chooses, such as widget ids; empty if the node is null.
    mutating func entries(_ node: YAMLNode, _ what: String) -> [YAMLNode.Entry] {
        if node.isNull { return [] }
        guard case .mapping(let entries) = node.content else {
            fail(node.mark, "\(what) must be a mapping of keys and values, not \(node.kind)")
            return []
        }
        return entries
    }

    /// Returns true if a node is a mapping; if it is not, reports an error with `remedy` and returns false.
    mutating func isMapping(_ node: YAMLNode, _ what: String, remedy: String) -> Bool {
        if case .mapping = node.content { return true }
        fail(node.mark, "\(what) must be a mapping, not \(node.kind); \(remedy)")
        return false
    }

    mutating func items(_ node: YAMLNode, _ what: String) -> [YAMLNode]? {
        guard case .sequence(let items) = node.content else {
            fail(node.mark, "\(what) must be a list, not \(node.kind)")
            return nil
        }
        return items
    }

    /// Returns the text of a scalar; an empty text is an error.
    ///
    /// A scalar that YAML would read as a number or a boolean is also a text.
    mutating func text(_ node: YAMLNode, _ what: String) -> String? {
        guard case .scalar(let text, _) = node.content, !node.isNull, !text.isEmpty else {
            fail(node.mark, "\(what) must be a text, not \(node.kind == "''" ? "an empty one" : node.kind)")
            return nil
        }
        return text
    }

    mutating func flag(_ node: YAMLNode, _ what: String) -> Bool? {
        plain(node, "\(what) must be true or false") { Bool($0) }
    }

    /// Returns the name of a widget or a cell as it is shown.
    ///
    /// A name that is too long, or that has no visible character, is an error.
    mutating func name(_ node: YAMLNode) -> String? {
        guard let name = text(node, "name").map(VisibleText.normalized) else { return nil }
        let maximum = ConfigurationLimits.maximumNameCharacters
        if name.count > maximum {
            fail(node.mark, "name has \(name.count) characters; at most \(maximum) are allowed")
        } else if name.unicodeScalars.allSatisfy({
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
        }) {
            fail(node.mark, "name has no visible character; remove it")
        }
        return name
    }

    mutating func integer(_ node: YAMLNode, _ what: String, in range: ClosedRange<Int>) -> Int? {
        scalar(node, "\(what) must be a whole number", in: range)
    }

    mutating func number(_ node: YAMLNode, _ what: String, in range: ClosedRange<Double>) -> Double? {
        scalar(node, "\(what) must be a number", in: range)
    }

    private mutating func scalar<Number: LosslessStringConvertible>(
        _ node: YAMLNode,
        _ rule: String,
        in range: ClosedRange<Number>
    ) -> Number? {
        let bounds = [range.lowerBound, range.upperBound].map { "\($0)".replacing(/\.0$/, with: "") }
        return plain(node, "\(rule) from \(bounds[0]) to \(bounds[1])") { text in
            Number(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns the value that `read` finds in a scalar without quotes.
    ///
    /// If there is none, reports `rule` as an error, and the quotes if the text would be valid without them.
    mutating func plain<Value>(_ node: YAMLNode, _ rule: String, _ read: (String) -> Value?) -> Value? {
        var remedy = ""
        if case .scalar(let text, let isPlain) = node.content, let value = read(text) {
            if isPlain { return value }
            remedy = "; remove the quotes"
        }
        fail(node.mark, "\(rule), not \(node.kind)\(remedy)")
        return nil
    }

    mutating func duration(_ node: YAMLNode, _ what: String, in range: ClosedRange<Duration>) -> Duration? {
        guard case .scalar(let text, _) = node.content, let duration = DurationText.parse(text) else {
            var message = "\(what) must be a duration such as 500ms, 30s, 5m, 2h or 1d, not \(node.kind)"
            if case .scalar(let text, _) = node.content, let meant = DurationText.correction(of: text) {
                message += "; did you mean '\(meant)'?"
            }
            fail(node.mark, message)
            return nil
        }
        guard range.contains(duration) else {
            fail(
                node.mark,
                "\(what) must be from \(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound)), "
                    + "not \(text)"
            )
            return nil
        }
        return duration
    }

    /// Returns the enumeration case that has the node's text as its raw value.
    ///
    /// If there is no such case, reports an error and returns nil. The error suggests the case that `foreign` names, or
    /// else the closest one.
    mutating func choice<Value: CaseIterable & RawRepresentable<String>>(
        _ node: YAMLNode,
        _ what: String,
        _ type: Value.Type,
        foreign: ForeignWords = .none
    ) -> Value? {
        let words = Value.allCases.map(\.rawValue)
        guard case .scalar(let text, _) = node.content, let value = Value(rawValue: text) else {
            var message = "\(what) must be \(Self.list(words)), not \(node.kind)"
            if case .scalar(let text, _) = node.content {
                var suggestion = EditDistance.closest(to: text, among: words)
                if case .key(let word) = foreign[text] { suggestion = word }
                message += suggestion.map { "; did you mean '\($0)'?" } ?? ""
            }
            fail(node.mark, message)
            return nil
        }
        return value
    }

    /// Returns the text as an id or a name of the given type; nil if the text is not valid for this type.
    mutating func identifier<Value: ValidatedString>(_ text: String, at mark: YAMLMark, _ type: Value.Type) -> Value? {
        guard let value = Value(rawValue: text) else {
            fail(mark, "'\(text.prefix(YAMLNode.maximumShown))' is not valid: \(Value.rule)")
            return nil
        }
        return value
    }

    /// Returns the margins in a mapping of edges; an edge that is missing or invalid has none.
    mutating func insets(_ node: YAMLNode) -> InsetsOverride {
        let edges: [(String, WritableKeyPath<InsetsOverride, Double?>)] = [
            ("top", \.top), ("leading", \.leading), ("bottom", \.bottom), ("trailing", \.trailing),
        ]
        let keys = mapping(node, "insets", known: edges.map(\.0))
        var insets = InsetsOverride()
        for (name, edge) in edges {
            insets[keyPath: edge] = keys[name].flatMap { number($0.value, name, in: ConfigurationLimits.inset) }
        }
        return insets
    }

    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
