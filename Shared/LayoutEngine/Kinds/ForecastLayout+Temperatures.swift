// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension ForecastLayout {
    /// The texts of a day's temperatures.
    ///
    /// If one temperature is unknown, its place shows a dash, so that the other one is not mistaken for it.
    struct Temperatures {
        private static let missing = "–"
        private static let lowMark = "↓"

        /// The text in the place of the high temperature; empty if both temperatures are unknown.
        let high: String
        /// The text in the place of the low temperature; empty if both temperatures are unknown.
        let low: String
        /// The text where only one temperature fits: the high one or, marked with an arrow, the low one.
        ///
        /// It is nil if both are unknown.
        let single: String?
        /// A Boolean value that indicates whether only the low temperature is known.
        let isLoneLow: Bool

        init(of day: ForecastDay, in environment: LayoutEnvironment) {
            let high = environment.temperature(celsius: day.high)
            let low = environment.temperature(celsius: day.low)
            isLoneLow = high == nil && low != nil
            self.high = high ?? (low == nil ? "" : Self.missing)
            self.low = low ?? (high == nil ? "" : Self.missing)
            single = high ?? low.map { Self.lowMark + $0 }
        }
    }

    /// Returns a view for both temperatures that shows `single` instead if only the low one is known and has no room.
    static func complete(
        _ view: any View,
        _ temperatures: Temperatures,
        single: @escaping () -> any View
    ) -> any View {
        temperatures.isLoneLow ? CompleteText(view: view, text: temperatures.low, other: single) : view
    }
}

/// A view with a replacement, which is used if the view does not show a text.
private struct CompleteText: View {
    let view: any View
    let text: String
    let other: () -> any View

    var isFlexible: Bool { view.isFlexible }
    var priority: Int { view.priority }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        let solved = view.solve(in: room, environment)
        if let solved, shows(solved.views) { return solved }
        return other().solve(in: room, environment) ?? solved
    }

    private func shows(_ views: [LayoutView]) -> Bool {
        views.contains { view in
            view.text?.lines.contains { $0.text == text } ?? false || shows(view.views ?? [])
        }
    }
}
