// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The sources of the widgets, except those with pushed content.
///
/// A source's plan is created on demand from its widgets' plans. Nearly every source has one widget, whose plan already
/// contains all of the source's values.
struct SourcePlans: Hashable, Sendable {
    private let widgets: BoxedDictionary<WidgetID, WidgetPlan>
    /// The first widget of each source, by id.
    private var first: [SourceID: WidgetID] = [:]
    /// All widgets of a source after the first one.
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

    /// The sources, ordered by id.
    var inOrder: some Sequence<(key: SourceID, value: SourcePlan)> {
        first.keys.sorted().lazy.compactMap { id in self[id].map { (key: id, value: $0) } }
    }
}
