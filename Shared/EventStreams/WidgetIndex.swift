// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The ids of many widgets in ascending order, for answers that are divided into pages.
///
/// A page begins after the last id of the previous page. ``widgets(after:)`` finds this place by binary search. Before
/// the search, it merges the ids that were inserted since its previous call.
public struct WidgetIndex: Sendable {
    private var sorted: [WidgetID]
    private var added: [WidgetID] = []

    public init(_ widgets: some Sequence<WidgetID> = []) { sorted = widgets.sorted() }

    /// Adds a widget, which must not be in the index yet.
    public mutating func insert(_ widget: WidgetID) { added.append(widget) }

    /// Returns the widgets whose ids follow `last`, in ascending order; returns all widgets if `last` is nil.
    public mutating func widgets(after last: WidgetID? = nil) -> ArraySlice<WidgetID> {
        if !added.isEmpty { mergeAdded() }
        guard let last else { return sorted[...] }
        return sorted[sorted.partitionPoint { $0 > last }...]
    }

    private mutating func mergeAdded() {
        added.sort()
        var merged: [WidgetID] = []
        merged.reserveCapacity(sorted.count + added.count)
        var next = 0
        for widget in sorted {
            while next < added.count, added[next] < widget {
                merged.append(added[next])
                next += 1
            }
            merged.append(widget)
        }
        merged += added[next...]
        sorted = merged
        added = []
    }
}
