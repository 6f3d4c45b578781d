// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The sources that widgets have, pushed ones aside; each is put together of its widgets when somebody asks for it.
///
/// Nearly every source has one widget: what there is to say about it stands in that widget's plan already.
struct SourcePlans: Hashable, Sendable {
    private let widgets: BoxedDictionary<WidgetID, WidgetPlan>
    /// The first of a source's widgets in the order of their ids.
    private var first: [SourceID: WidgetID] = [:]
    /// Those behind it.
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

    /// The sources by their ids.
    var inOrder: some Sequence<(key: SourceID, value: SourcePlan)> {
        first.keys.sorted().lazy.compactMap { id in self[id].map { (key: id, value: $0) } }
    }
}
