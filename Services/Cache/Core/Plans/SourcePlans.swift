// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The plans of all sources that are fetched; widgets with pushed content have no such source.
///
/// The plan of a source is not stored, but created on demand from the plans of its widgets. Nearly every source has
/// only one widget, so a stored plan would only repeat the values of that widget's plan.
struct SourcePlans: Hashable, Sendable {
    private let widgets: BoxedDictionary<WidgetID, WidgetPlan>
    /// The widget of each source; if several widgets use the source, the one with the lowest id.
    private var first: [SourceID: WidgetID] = [:]
    /// The remaining widgets of each source that has several widgets, in ascending order of their ids.
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

    /// Returns whether a source is fetched just before it is shown, because all its widgets are.
    func isFetchedWhenShown(_ source: SourceID) -> Bool {
        guard let id = first[source], widgets[id]?.isFetchedWhenShown == true else { return false }
        return others[source]?.allSatisfy { widgets[$0]?.isFetchedWhenShown == true } ?? true
    }

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
