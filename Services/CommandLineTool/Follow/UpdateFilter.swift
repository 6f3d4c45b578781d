// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A filter that selects updates by the prefixes of their topics.
struct UpdateFilter: Sendable {
    let prefixes: [String]

    /// Creates a filter; nil if a prefix cannot match a topic that begins with `update/`.
    init?(_ prefixes: [String]) {
        guard prefixes.allSatisfy({ $0.hasPrefix(Topic.Prefix.update) || Topic.Prefix.update.hasPrefix($0) }) else {
            return nil
        }
        self.prefixes = prefixes
    }

    func wants(_ event: Event<Update>, of widget: WidgetID) -> Bool {
        matches(Topic.update(event.data.result, widget))
    }

    /// Returns whether updates of the widget can match the filter.
    func mayWant(_ widget: WidgetID) -> Bool {
        UpdateResult.allCases.contains { matches(Topic.update($0, widget)) }
    }

    private func matches(_ topic: Topic) -> Bool { prefixes.contains { topic.text.hasPrefix($0) } }

    /// The prefixes of the topics to subscribe to.
    ///
    /// One prefix is for the topic of the notifier's heads: the last sequence number of each widget. The other prefixes
    /// match all updates of each widget that the filter can select, whatever their result is. Updates that the filter
    /// rejects are also needed, because gaps are detectable only in the complete stream.
    var subscriptions: [String] {
        var found: Set<String> = [Topic.heads(of: .notifier).text]
        for prefix in prefixes {
            let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count >= 3, !parts[2].isEmpty else {
                found.insert(Topic.Prefix.update)
                continue
            }
            let widget = parts[2...].joined(separator: "/")
            for result in UpdateResult.allCases { found.insert("\(Topic.Prefix.update)\(result.rawValue)/\(widget)") }
        }
        return found.sorted()
    }
}
