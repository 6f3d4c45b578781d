// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import SourceParsing
import WidgetSchema

/// The text of an initial `tidings.yml`: the usual settings with explanations, and the widgets.
struct ConfigurationText {
    /// The reason why an imported feed subscription did not become a widget.
    struct Refusal: Hashable, CustomStringConvertible {
        var line: Int
        var message: String

        var description: String { "\(line): \(message)" }
    }

    /// A heading in the configuration, with the widgets below it.
    private struct Group {
        var name: String
        var widgets: [(id: WidgetID, title: String?, url: String)] = []
    }

    private var groups: [Group] = []
    private let heading: String
    /// The imported feed subscriptions that did not become a widget, in the order of the imported list.
    private(set) var refusals: [Refusal] = []

    /// The feeds of the example widgets, for a configuration that is not created from an imported list.
    ///
    /// Each element contains the widget's id, the feed's title and the feed's URL.
    private static let firstFeeds = [
        ("swift", "The Swift language", "https://www.swift.org/atom.xml"),
        ("debian", "News of Debian", "https://www.debian.org/News/news"),
        ("xkcd", "A cartoon", "https://xkcd.com/atom.xml"),
    ]

    /// Creates a text with three example widgets.
    init() {
        heading = "The widgets. Choose any ids, such as 'swift': a-z, 0-9 and '-'."
        var group = Group(name: "")
        group.widgets = Self.firstFeeds.compactMap { id, title, url in WidgetID(rawValue: id).map { ($0, title, url) } }
        groups = [group]
    }

    /// Creates a text with a widget for each feed subscription of an imported list, in the same groups.
    init(_ list: FeedList) {
        heading = "The widgets" + (list.title.map { ": \(Self.comment($0))." } ?? ".")
        var naming = WidgetNaming()
        var seen: Set<String> = []
        var places: [[String]: Int] = [:]
        for subscription in list.entries {
            let url = Self.address(subscription.feedURL)
            if let problem = RequestSyntax.problem(url: url) {
                refusals.append(Refusal(line: subscription.line, message: problem))
                continue
            }
            guard seen.insert(url).inserted else {
                refusals.append(
                    Refusal(
                        line: subscription.line,
                        message: "'\(url)' is in the list more than once; only one widget is created for it"
                    )
                )
                continue
            }
            let place = places[subscription.groups] ?? groups.count
            if place == groups.count {
                places[subscription.groups] = place
                groups.append(Group(name: subscription.groups.map(Self.comment).joined(separator: " / ")))
            }
            let id = naming.id(title: subscription.title, url: url)
            groups[place].widgets.append((id, subscription.title, url))
        }
        // Subscriptions without a group come first: after a heading, they would seem to belong to it.
        groups = groups.filter(\.name.isEmpty) + groups.filter { !$0.name.isEmpty }
    }

    /// Returns a URL in the form that the configuration contains.
    ///
    /// The result has no fragment. It begins with `https://` if the URL began with `feed://`. Characters that are not
    /// allowed in URLs are percent-encoded.
    private static func address(_ found: String) -> String {
        let scheme = "feed://"
        let text = found.lowercased().hasPrefix(scheme) ? "https://" + found.dropFirst(scheme.count) : found
        guard var parts = URLComponents(string: text) else { return text }
        parts.fragment = nil
        return parts.string ?? text
    }

    var widgetCount: Int { groups.map(\.widgets.count).reduce(0, +) }

    var text: String {
        var text = Self.beginning + "# \(heading)\nwidgets:\n"
        if widgetCount == 0 { text = text.dropLast("widgets:\n".count) + "widgets: {}\n" }
        for group in groups {
            if !group.name.isEmpty { text += "\n  # \(group.name)\n" }
            for widget in group.widgets {
                // Unquoted words like `on`, and numbers, have another meaning in YAML.
                let title = widget.title.map { "  # \(Self.comment($0))" } ?? ""
                text += "  \"\(widget.id)\":\(title)\n    kind: feed\n    source: \(YAMLText.quoted(widget.url))\n"
            }
        }
        return text
    }

    private static let beginning = """
        # The widgets, the displays, and how sources are fetched. 'tidings check' lists errors in this file,
        # 'tidings check --fetch' fetches every source once, 'tidings up' runs all services with it.

        # The folder of the stores, relative to this file.
        store: ./tidings-data

        # The intervals and limits of requests to origins. These are the defaults.
        fetching:
          interval: 15m          # between two attempts; a widget can have its own
          minimumInterval: 5m    # the minimum time between two attempts, also for performUpdate;
                                 # a widget's own shorter interval lowers it
          hostConcurrency: 1     # requests to one host at the same time
          hostSpacing: 1s        # between the starts of two requests to one host

        # The displays. Without this key, these two are the default.
        displays:
          phone-classic:
            family: todayClassic # one display with a "Show more" of its own
            width: 359           # points
          phone:
            family: today        # gives phone-compact and phone-expanded
            width: 359
            compactHeight: 110
            maximumHeight: 616


        """

    /// Returns a text that is safe in a YAML comment: on one line, with characters that YAML allows.
    private static func comment(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: result += " "
            default:
                if scalar == "\u{FEFF}" || scalar == "\u{FFFE}" || scalar == "\u{FFFF}" { continue }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
