// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Text
import WidgetSchema

/// The validation of prefixes for `tidings subscribe`; with a mistyped prefix, the command would wait forever.
enum TopicPrefix {
    /// The prefixes of all kinds of topics, such as `update/`.
    static let families = [
        Topic.Prefix.update, Topic.Prefix.layout, Topic.Prefix.heads, Topic.Prefix.schedule, Topic.Prefix.health,
        Topic.Prefix.fetched, Topic.Prefix.refreshed, Topic.Prefix.laidOut,
    ]

    /// Returns an error message with a suggestion if the prefix matches no topic; nil if the prefix is valid.
    static func problem(_ prefix: String) -> String? {
        guard let family = families.first(where: { prefix.hasPrefix($0) }) else {
            if families.contains(where: { $0.hasPrefix(prefix) }) { return nil }
            return "no topic begins with '\(prefix)'; \(meant(prefix))"
        }
        let parts = prefix.dropFirst(family.count).split(separator: "/", omittingEmptySubsequences: false).map(
            String.init
        )
        let words: [String]
        switch family {
        case Topic.Prefix.update: words = UpdateResult.allCases.map(\.rawValue)
        case Topic.Prefix.health: words = ServiceName.allCases.map(\.rawValue)
        case Topic.Prefix.heads: words = [ServiceName.cache, .notifier].map(\.rawValue)
        case Topic.Prefix.schedule: words = [ServiceName.cache.rawValue]
        default: return nil
        }
        guard let word = parts.first, !word.isEmpty else { return nil }
        let isComplete = parts.count > 1
        if isComplete ? words.contains(word) : words.contains(where: { $0.hasPrefix(word) }) { return nil }
        let rest = parts.dropFirst().map { "/\($0)" }.joined()
        if let near = words.first(where: { $0.lowercased() == word.lowercased() })
            ?? EditDistance.closest(to: word, among: words)
        {
            return "no topic begins with '\(prefix)'; did you mean '\(family)\(near)\(rest.isEmpty ? "/" : rest)'?"
        }
        return "no topic begins with '\(prefix)'; after \(family) comes one of \(words.joined(separator: "/, "))/"
    }

    private static func meant(_ prefix: String) -> String {
        let first = prefix.prefix { $0 != "/" }
        let names = families.map { String($0.dropLast()) }
        if let near = names.first(where: { $0 == first.lowercased() })
            ?? EditDistance.closest(to: String(first), among: names)
        {
            let rest = prefix.dropFirst(first.count)
            return "did you mean '\(near)\(rest.isEmpty ? "/" : String(rest))'?"
        }
        if let widget = WidgetID(rawValue: prefix) {
            let topics = UpdateResult.allCases.map { "'\(Topic.update($0, widget).text)'" }.joined(separator: " ")
            return "for the widget of that name: tidings subscribe \(topics)"
        }
        return "there are \(families.joined(separator: ", "))"
    }

    /// Returns the widget of a prefix that is a complete topic, such as `update/newData/blog/`; nil for any other
    /// prefix.
    static func widget(_ prefix: String) -> WidgetID? {
        let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
        guard prefix.hasPrefix(Topic.Prefix.update), parts.count == 4 else { return nil }
        return WidgetID(rawValue: String(parts[2]))
    }
}
