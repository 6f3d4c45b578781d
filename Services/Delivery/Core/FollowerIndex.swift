// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import WidgetSchema

/// The destinations by the widgets and boards that they follow.
struct FollowerIndex: Sendable {
    private var ofAll: [DestinationName] = []
    private var ofWidgets: [WidgetID: [DestinationName]] = [:]
    private(set) var ofBoards: [BoardID: [DestinationName]] = [:]

    init() {}

    init(_ plans: [DestinationPlan]) {
        for plan in plans.sorted(by: { $0.name < $1.name }) { insert(plan) }
    }

    mutating func insert(_ plan: DestinationPlan) {
        if let widgets = plan.filter.widgets {
            for widget in widgets { ofWidgets[widget, default: []].append(plan.name) }
        } else {
            ofAll.append(plan.name)
        }
        for board in plan.filter.boards { ofBoards[board, default: []].append(plan.name) }
    }

    /// Removes a destination; `plan` must be equal to the one that was inserted.
    mutating func remove(_ plan: DestinationPlan) {
        if let widgets = plan.filter.widgets {
            for widget in widgets { Self.remove(plan.name, at: widget, of: &ofWidgets) }
        } else {
            ofAll.removeAll { $0 == plan.name }
        }
        for board in plan.filter.boards { Self.remove(plan.name, at: board, of: &ofBoards) }
    }

    private static func remove<ID>(_ name: DestinationName, at id: ID, of names: inout [ID: [DestinationName]]) {
        names[id]?.removeAll { $0 == name }
        if names[id]?.isEmpty == true { names[id] = nil }
    }

    subscript(widget: WidgetID) -> [DestinationName] {
        guard let some = ofWidgets[widget] else { return ofAll }
        return ofAll.isEmpty ? some : ofAll + some
    }

    subscript(board: BoardID) -> [DestinationName] { ofBoards[board] ?? [] }
}
