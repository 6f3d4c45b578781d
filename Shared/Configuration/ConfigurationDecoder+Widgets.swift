// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Text
import WidgetSchema

/// Decoding of widgets and their sources.
extension ConfigurationDecoder {
    /// Returns the widgets that the mapping `node` defines, sorted by id.
    ///
    /// The property `fileIndex` of each widget is set to the number of widgets before it: the widgets in
    /// `configuration`, and the earlier ones in `node`.
    mutating func decodeWidgets(
        _ node: YAMLNode,
        displayNames: [String: [DisplayName]],
        of configuration: TidingsConfiguration
    ) -> [TidingsConfiguration.Widget] {
        if case .sequence = node.content {
            nodes.fail(node.mark, "widgets must not be a list; write each as ID: {kind: KIND, source: URL}")
            return []
        }
        let entries = nodes.entries(node, "widgets")
        if entries.count > ConfigurationLimits.maximumWidgets {
            nodes.fail(node.mark, "more than \(ConfigurationLimits.maximumWidgets) widgets")
            return []
        }
        let first = configuration.widgets.count
        return entries.enumerated().compactMap { index, entry in
            var widget = decodeWidget(entry, displayNames: displayNames, of: configuration)
            widget?.fileIndex = first + index
            return widget
        }.sorted { $0.id < $1.id }
    }

    mutating func decodeWidget(
        _ entry: YAMLNode.Entry,
        displayNames: [String: [DisplayName]],
        of configuration: TidingsConfiguration
    ) -> TidingsConfiguration.Widget? {
        let what = "widget '\(entry.key)'"
        let id = nodes.identifier(entry.key, at: entry.keyMark, WidgetID.self)
        let keys = nodes.mapping(
            entry.value,
            what,
            known: ["kind", "source", "interval", "minimumInterval", "staleAfter", "rows", "timeZone", "displays"]
                + KindKeys.known,
            foreign: .widget
        )
        var kind: WidgetKind?
        if let choice = keys["kind"] {
            kind = nodes.choice(choice.value, "kind", WidgetKind.self, foreign: .kinds)
        } else {
            let kinds = NodeDecoder.list(WidgetKind.allCases.map(\.rawValue))
            nodes.fail(entry.keyMark, "\(what) has no kind (\(kinds))")
        }
        var source: TidingsConfiguration.Source?
        var isPushed = false
        if let place = keys["source"] {
            if case .scalar(TidingsConfiguration.pushedSource, _) = place.value.content { isPushed = true }
            if !isPushed { source = decodeSource(place.value, fetching: configuration.fetching) }
        } else {
            nodes.fail(entry.keyMark, "\(what) has no source (a URL, or '\(TidingsConfiguration.pushedSource)')")
        }
        let rows = keys["rows"].map { decodeRows($0.value) } ?? RowLimits()
        let timeZone = checked(keys["timeZone"], Region.problem(timeZone:))
        let intervals = intervals(keys, inherited: configuration.fetching)
        let staleAfter = staleAfter(keys["staleAfter"], interval: isPushed ? nil : intervals.interval)
        var displays = configuration.displays.map(\.name)
        if let names = keys["displays"] {
            displays = decodeDisplayNames(names.value, displayNames: displayNames)
        }
        guard let kind else { return nil }
        // A forecast has the days of one time zone: that of the widget, or else that of its first display.
        let zone = timeZone ?? displays.first.flatMap(configuration.display)?.timeZone
        let owner = KindKeys.Owner(
            name: what,
            kind: kind,
            timeZone: zone ?? TidingsConfiguration.defaultTimeZone
        )
        let own = KindKeys(keys, of: owner, &nodes)
        for (icon, mark, instead) in own.unknownIcons {
            let hint = EditDistance.hint(
                for: icon,
                among: SymbolCatalog.names,
                else: "; pictures show \(instead) instead"
            )
            warn(mark, "there is no symbol for the icon '\(icon)'\(hint)")
        }
        guard let id, source != nil || isPushed else { return nil }
        if let staleAfter = keys["staleAfter"], !isOnPanel(id, displays, of: configuration) {
            warn(staleAfter.keyMark, "staleAfter has no effect: \(what) is on no panel")
        }
        let isFetchedWhenShown = isFetchedWhenShown(keys["interval"], isAddress: !isPushed && source?.file == nil)
        return TidingsConfiguration.Widget(
            id: id,
            definition: WidgetDefinition(
                kind: kind,
                rows: rows,
                timeZone: timeZone,
                name: own.name,
                symbol: own.symbol,
                actions: own.actions,
                insets: own.insets,
                link: own.link,
                hideWhenEmpty: own.hideWhenEmpty,
                dateStyle: own.dateStyle,
                show: own.show,
                private: own.isPrivate
            ),
            parsing: own.parsing,
            source: source,
            interval: intervals.interval,
            minimumInterval: intervals.minimumInterval,
            isFetchedWhenShown: isFetchedWhenShown,
            staleAfter: staleAfter,
            displays: displays
        )
    }

    private func isOnPanel(
        _ widget: WidgetID,
        _ displays: [DisplayName],
        of configuration: TidingsConfiguration
    ) -> Bool {
        displays.contains { configuration.display($0)?.family == .panel }
            || configuration.boardEntries.contains { $0.cells.contains { $0.widget == widget } }
    }

    /// Returns whether a widget's source is fetched when it is shown, which is an error for files and pushes.
    private mutating func isFetchedWhenShown(
        _ entry: YAMLNode.Entry?,
        isAddress: Bool
    ) -> Bool {
        guard isWhenShown(entry), let mark = entry?.value.mark else { return false }
        guard isAddress else {
            nodes.fail(
                mark,
                "interval: \(TidingsConfiguration.Widget.whenShown) is for sources with an address; files are read when they "
                    + "change, and pushed content is not fetched"
            )
            return false
        }
        return true
    }

    /// Returns the time after which panels mark the content of a widget as stale; nil if they never do.
    ///
    /// `interval` is the time between two fetch attempts; nil if the content is pushed.
    private mutating func staleAfter(_ entry: YAMLNode.Entry?, interval: Duration?) -> Duration? {
        let usual = interval.map { TidingsConfiguration.Widget.defaultStaleAfter(interval: $0) }
        guard let entry else { return usual }
        guard let time = nodes.duration(entry.value, entry.key, in: ConfigurationLimits.staleAfter) else {
            return usual
        }
        if let interval, time <= interval {
            let (shorter, longer) = (DurationText.text(time), DurationText.text(interval))
            nodes.fail(
                entry.value.mark,
                "staleAfter (\(shorter)) must be longer than the interval (\(longer)): panels would mark the content as "
                    + "stale before it can be fetched again"
            )
        }
        return time
    }

    mutating func decodeSource(
        _ node: YAMLNode,
        fetching: TidingsConfiguration.Fetching
    ) -> TidingsConfiguration.Source? {
        guard case .mapping = node.content else {
            guard !node.isNull, case .scalar = node.content else {
                nodes.fail(node.mark, "source must be a URL, or a mapping with url or file, not \(node.kind)")
                return nil
            }
            return url(node).map {
                checkNetwork(of: $0, at: node.mark, isAllowed: fetching.allowPrivateNetworks)
                return TidingsConfiguration.Source(url: $0, allowPrivateNetworks: fetching.allowPrivateNetworks)
            }
        }
        let known = ["url", "headers", "allowPrivateNetworks", "file"]
        let keys = nodes.mapping(node, "source", known: known, foreign: .source)
        if let file = keys["file"] {
            if let other = keys.first(where: { $0.key != "file" })?.value {
                nodes.fail(other.keyMark, "a file source cannot have '\(other.key)'; remove it")
            }
            return decodeFile(file, fetching: fetching)
        }
        let headers = keys["headers"].map { decodeHeaders($0.value) } ?? [:]
        var allowPrivateNetworks = fetching.allowPrivateNetworks
        flag(keys["allowPrivateNetworks"], &allowPrivateNetworks)
        guard let place = keys["url"] else {
            nodes.fail(node.mark, "source has no url and no file")
            return nil
        }
        return url(place.value).map {
            checkNetwork(of: $0, at: place.value.mark, isAllowed: allowPrivateNetworks)
            return TidingsConfiguration.Source(url: $0, headers: headers, allowPrivateNetworks: allowPrivateNetworks)
        }
    }

    private mutating func decodeFile(
        _ entry: YAMLNode.Entry,
        fetching: TidingsConfiguration.Fetching
    ) -> TidingsConfiguration.Source? {
        guard let text = checked(entry, RequestSyntax.problem(file:)) else { return nil }
        guard fetching.fileDirectory != nil else {
            nodes.fail(
                entry.value.mark,
                "a file source needs fetching.fileDirectory; set it to the directory that contains the file"
            )
            return nil
        }
        return TidingsConfiguration.Source(file: text)
    }

    mutating func checkNetwork(of url: String, at mark: YAMLMark, isAllowed: Bool) {
        guard !isAllowed, let kind = PrivateHost.kind(url: url) else { return }
        rejectedSources.append(
            ConfigurationError(
                .file(file, mark),
                "'\(url)' is on a \(kind) network, and fetchers reject it; to allow it, set "
                    + "allowPrivateNetworks: true in this source, or in fetching for all sources"
            )
        )
    }

    mutating func url(_ node: YAMLNode) -> String? {
        guard let text = nodes.text(node, "url") else { return nil }
        guard let problem = RequestSyntax.problem(url: text) else { return text }
        let isPath =
            text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") || text.hasPrefix(FileURL.scheme)
        nodes.fail(node.mark, problem + (isPath ? "; for a file, write source: {file: NAME}" : ""))
        return nil
    }

    mutating func decodeHeaders(_ node: YAMLNode) -> [String: String] {
        var headers: [String: String] = [:]
        var seen: Set<String> = []
        let entries = nodes.entries(node, "headers")
        if entries.count > ConfigurationLimits.maximumHeaders {
            nodes.fail(node.mark, "more than \(ConfigurationLimits.maximumHeaders) headers")
        }
        for entry in entries {
            if let problem = RequestSyntax.problem(headerName: entry.key) {
                nodes.fail(entry.keyMark, problem)
            } else if !seen.insert(entry.key.lowercased()).inserted {
                nodes.fail(entry.keyMark, "the header '\(entry.key)' is given twice (header names ignore case)")
            }
            guard let value = nodes.text(entry.value, "a header's value") else { continue }
            if let problem = RequestSyntax.problem(headerValue: value) { nodes.fail(entry.value.mark, problem) }
            do throws(SecretText.Problem) {
                secrets.need(try SecretText.pieces(of: value), at: .file(file, entry.value.mark))
            } catch {
                nodes.fail(entry.value.mark, error.message)
            }
            headers[entry.key] = value
        }
        return headers
    }

    mutating func decodeRows(_ node: YAMLNode) -> RowLimits {
        var rows = RowLimits()
        if case .scalar(let text, _) = node.content, let count = Int(text) {
            nodes.fail(
                node.mark,
                "rows has two limits: rows: {collapsed: \(min(count, rows.collapsed)), expanded: \(count)}"
            )
            return rows
        }
        let keys = nodes.mapping(node, "rows", known: ["collapsed", "expanded"])
        integer(keys["collapsed"], in: ConfigurationLimits.rows, &rows.collapsed)
        integer(keys["expanded"], in: ConfigurationLimits.rows, &rows.expanded)
        if keys["expanded"] == nil { rows.expanded = max(rows.expanded, rows.collapsed) }
        if rows.expanded < rows.collapsed, let entry = keys["expanded"] {
            nodes.fail(entry.value.mark, "expanded (\(rows.expanded)) is below collapsed (\(rows.collapsed))")
        }
        return rows
    }

    /// Returns the displays in a widget's list, in the order of the list and without duplicates.
    mutating func decodeDisplayNames(
        _ node: YAMLNode,
        displayNames: [String: [DisplayName]]
    ) -> [DisplayName] {
        guard let items = nodes.items(node, "displays") else { return [] }
        if items.isEmpty { nodes.fail(node.mark, "displays is an empty list; remove the key to use all displays") }
        var chosen: [DisplayName] = []
        for item in items {
            guard let text = nodes.text(item, "a display's name") else { continue }
            let variants = displayNames.values.joined()
            if let names = displayNames[text] {
                chosen += names.filter { !chosen.contains($0) }
            } else if let name = variants.first(where: { $0.rawValue == text }) {
                if !chosen.contains(name) { chosen.append(name) }
            } else {
                let known = displayNames.keys.sorted() + variants.map(\.rawValue).sorted()
                let groups = "; there are \(displayNames.keys.sorted().joined(separator: ", "))"
                let hint = EditDistance.hint(for: text, among: Set(known).sorted(), else: groups)
                nodes.fail(item.mark, "there is no display '\(text)'\(hint)")
            }
        }
        return chosen
    }
}
