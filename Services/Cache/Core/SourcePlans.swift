// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The plans of all sources that are fetched; widgets with pushed content have no such source.
///
/// A source's plan is created on demand from its widgets' plans. Nearly every source has one widget, whose plan already
/// contains all of the source's values.
struct SourcePlans: Hashable, Sendable {
    private let widgets: BoxedDictionary<WidgetID, WidgetPlan>
    /// For each source, the one of its widgets with the lowest id.
    private var first: [SourceID: WidgetID] = [:]
    /// For each source with several widgets, all of them except the one in `first`, in ascending order.
    private var others: [SourceID: [WidgetID]] = [:]

    init(of widgets: BoxedDictionary<WidgetID, WidgetPlan>) {
        self.widgets = widgets
        for (id, widget) in widgets.inOrder where !widget.source.isPushed {
            if first[widget.source.id] == nil {
                first[widget.source.id] = id
            } else {
                others[widget.source.id, default: []].append(id)
            }
        }
    }

    var keys: some Collection<SourceID> { first.keys }

    subscript(source: SourceID) -> SourcePlan? {
        guard let id = first[source], let widget = widgets[id] else { return nil }
        var plan = SourcePlan(widget)
        for other in others[source] ?? [] {
            if let widget = widgets[other] { plan.add(widget) }
        }
        return plan
    }

    /// The plans of all sources, ordered by the id of the source.
    var inOrder: some Sequence<(key: SourceID, value: SourcePlan)> {
        first.keys.sorted().lazy.compactMap { id in self[id].map { (key: id, value: $0) } }
    }
}
