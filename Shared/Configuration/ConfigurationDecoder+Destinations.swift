// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Text
import WidgetSchema

/// Decoding of the destinations of the service `delivery`.
extension ConfigurationDecoder {
    typealias Destination = TidingsConfiguration.Destination

    private static let commonKeys = [
        "kind", "mode", "widgets", "boards", "displays", "result", "reason", "highPriority", "budget", "timeout",
        "initial",
    ]

    /// The names from the rest of the configuration to which destinations refer.
    struct DestinationNames {
        var displays: [String: [DisplayName]]
        var boards: [BoardID]
    }

    /// A widget's id in a destination, with its place.
    struct WidgetReference: Sendable, Equatable {
        var widget: WidgetID
        var place: String
    }

    mutating func decodeDestinations(
        _ node: YAMLNode,
        _ names: DestinationNames
    ) -> [TidingsConfiguration.Destination] {
        if case .sequence = node.content {
            nodes.fail(node.mark, "destinations must not be a list; write each as NAME: {kind: KIND}")
            return []
        }
        let entries = nodes.entries(node, "destinations")
        if entries.count > ConfigurationLimits.maximumDestinations {
            nodes.fail(node.mark, "more than \(ConfigurationLimits.maximumDestinations) destinations")
            return []
        }
        let destinations = entries.compactMap { decodeDestination($0, names) }
        checkTopics(of: destinations)
        return destinations
    }

    private mutating func decodeDestination(_ entry: YAMLNode.Entry, _ names: DestinationNames) -> Destination? {
        let what = "destination '\(entry.key.prefix(YAMLNode.maximumShown))'"
        let name = nodes.identifier(entry.key, at: entry.keyMark, DestinationName.self)
        if entry.key.hasPrefix(Destination.devicePrefix) {
            nodes.fail(
                entry.keyMark,
                "names that begin with '\(Destination.devicePrefix)' are those of registered devices"
            )
        }
        let allOwn = Set(Destination.Kind.allCases.flatMap(Self.ownKeys)).sorted()
        let keys = nodes.mapping(entry.value, what, known: Self.commonKeys + allOwn, foreign: .destination)
        guard let choice = keys["kind"] else {
            let kinds = NodeDecoder.list(Destination.Kind.allCases.map(\.rawValue))
            nodes.fail(entry.keyMark, "\(what) has no kind (\(kinds))")
            return nil
        }
        guard let kind = nodes.choice(choice.value, "kind", Destination.Kind.self) else { return nil }
        let own = Self.ownKeys(of: kind)
        for key in keys.values.sorted(by: { $0.key < $1.key })
        where !own.contains(key.key) && !Self.commonKeys.contains(key.key) {
            nodes.fail(key.keyMark, "\(what) of kind \(kind.rawValue) has no '\(key.key)'; remove it")
        }
        guard let name else { return nil }
        var destination = Destination(name: name, kind: kind, place: .file(file, entry.keyMark))
        destination.filter = decodeFilter(keys, names)
        destination.mode = keys["mode"].flatMap { nodes.choice($0.value, $0.key, Destination.Mode.self) } ?? .latest
        if destination.mode == .every, let boards = keys["boards"] {
            nodes.fail(boards.keyMark, "boards have only the mode latest; put them into a destination of their own")
        }
        destination.highPriority = keys["highPriority"].map { decodeHighPriority($0.value) }
        destination.budget = keys["budget"].flatMap { decodeBudget($0.value) }
        if let budget = destination.budget { checkBudget(budget, of: destination, keys) }
        duration(keys["timeout"], in: ConfigurationLimits.destinationTimeout, &destination.timeout)
        destination.sendsState = kind == .mqtt
        if let initial = keys["initial"] {
            destination.sendsState = nodes.choice(initial.value, initial.key, InitialMessages.self) == .state
        }
        for key in Self.requiredKeys(of: kind) where keys[key] == nil {
            nodes.fail(entry.keyMark, "\(what) has no \(key)")
        }
        decodeOwn(keys, names, into: &destination)
        return destination
    }

    /// The messages that a new destination gets at first.
    private enum InitialMessages: String, CaseIterable {
        case changes
        case state
    }

    // MARK: Filters and budgets

    private mutating func decodeFilter(
        _ keys: [String: YAMLNode.Entry],
        _ names: DestinationNames
    ) -> Destination.Filter {
        var filter = Destination.Filter()
        filter.widgets = keys["widgets"].map { entry in Set(widgets(entry)) }
        if let boards = keys["boards"] {
            for (text, mark) in words(boards) {
                guard let id = nodes.identifier(text, at: mark, BoardID.self) else { continue }
                if !names.boards.contains(id) {
                    let known = names.boards.map(\.rawValue)
                    let none = known.isEmpty ? "; there are none" : nil
                    let hint = EditDistance.hint(for: text, among: known, else: none)
                    nodes.fail(mark, "there is no board '\(text)'\(hint)")
                }
                filter.boards.insert(id)
            }
            // Only boards: their widgets are not sent besides.
            if keys["widgets"] == nil { filter.widgets = [] }
        }
        if let displays = keys["displays"] {
            filter.displays = Set(decodeDisplayNames(displays.value, displayNames: names.displays))
        }
        if let results = keys["result"] { filter.results = Set(choices(results, UpdateResult.self)) }
        filter.reasons = keys["reason"].map { entry in Set(choices(entry, Reason.self)) }
        return filter
    }

    private mutating func decodeHighPriority(_ node: YAMLNode) -> Destination.HighPriority {
        let keys = nodes.mapping(node, "highPriority", known: ["widgets", "result", "reason"])
        if keys.isEmpty { nodes.fail(node.mark, "highPriority needs widgets, result or reason") }
        var high = Destination.HighPriority()
        high.widgets = keys["widgets"].map { entry in Set(widgets(entry)) }
        high.results = keys["result"].map { entry in Set(choices(entry, UpdateResult.self)) }
        high.reasons = keys["reason"].map { entry in Set(choices(entry, Reason.self)) }
        return high
    }

    mutating func decodeBudget(_ node: YAMLNode) -> Destination.Budget? {
        let keys = nodes.mapping(node, "budget", known: ["perDay", "spacing", "reserve"])
        guard let perDay = keys["perDay"] else {
            nodes.fail(node.mark, "budget has no perDay, the maximum number of messages in 24 hours")
            return nil
        }
        guard let number = nodes.integer(perDay.value, perDay.key, in: ConfigurationLimits.perDay) else { return nil }
        var budget = Destination.Budget(perDay: number)
        duration(keys["spacing"], in: ConfigurationLimits.spacing, &budget.spacing)
        integer(keys["reserve"], in: 0...max(0, number - 1), &budget.reserve)
        return budget
    }

    /// Reports the settings that contradict a budget.
    private mutating func checkBudget(
        _ budget: Destination.Budget,
        of destination: Destination,
        _ keys: [String: YAMLNode.Entry]
    ) {
        if let results = keys["result"], destination.filter.results.contains(.noData) {
            nodes.fail(
                results.value.mark,
                "only changes that people see spend a budget; remove noData from result, or remove the budget"
            )
        }
        if destination.mode == .every, let mode = keys["mode"] {
            nodes.fail(mode.value.mark, "a budget merges changes, so its mode is latest; remove mode, or the budget")
        }
        if budget.reserve > 0, destination.highPriority == nil, let entry = keys["budget"] {
            nodes.fail(entry.keyMark, "budget has a reserve, but no update has a high priority; add highPriority")
        }
    }

    // MARK: Lists of words

    /// Returns the texts of a list or of a single text, each with its place.
    private mutating func words(_ entry: YAMLNode.Entry) -> [(text: String, mark: YAMLMark)] {
        var items = [entry.value]
        if case .sequence(let list) = entry.value.content { items = list }
        if items.isEmpty { nodes.fail(entry.value.mark, "\(entry.key) is an empty list; remove the key") }
        return items.compactMap { item in
            nodes.text(item, "an entry of \(entry.key)").map { (text: $0, mark: item.mark) }
        }
    }

    /// Returns the ids of widgets; whether they exist is checked when the widgets of all files are known.
    private mutating func widgets(_ entry: YAMLNode.Entry) -> [WidgetID] {
        words(entry).compactMap { text, mark in
            let id = nodes.identifier(text, at: mark, WidgetID.self)
            if let id { widgetReferences.append(WidgetReference(widget: id, place: "\(file):\(mark)")) }
            return id
        }
    }

    private mutating func choices<Value: CaseIterable & RawRepresentable<String>>(
        _ entry: YAMLNode.Entry,
        _ type: Value.Type
    ) -> [Value] {
        var items = [entry.value]
        if case .sequence(let list) = entry.value.content { items = list }
        if items.isEmpty { nodes.fail(entry.value.mark, "\(entry.key) is an empty list; remove the key") }
        return items.compactMap { nodes.choice($0, entry.key, type) }
    }
}
