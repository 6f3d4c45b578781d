// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension ForecastLayout {
    /// The texts of a day's temperatures.
    ///
    /// If one temperature is unknown, its place shows a dash, so that the other one is not mistaken for it.
    struct Temperatures {
        static let missing = "–"
        private static let lowMark = "↓"

        /// The text in the place of the high temperature; empty if both temperatures are unknown.
        private(set) var high: String
        /// The text in the place of the low temperature; empty if both temperatures are unknown.
        private(set) var low: String
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

        /// The temperatures with minus signs instead of hyphens, which are hardly visible without antialiasing.
        var withMinusSigns: Temperatures {
            var temperatures = self
            temperatures.high = high.replacing("-", with: "\u{2212}")
            temperatures.low = low.replacing("-", with: "\u{2212}")
            return temperatures
        }
    }

    /// Returns a view for both temperatures; where it has too little room, the first of `others` that fits.
    ///
    /// The view has too little room if it does not show the high temperature, or if it shows the low one alone. Each of
    /// `others` shows ``Temperatures/single``.
    static func complete(_ view: any View, _ temperatures: Temperatures, others: [any View]) -> any View {
        guard let single = temperatures.single else { return view }
        let needed = temperatures.isLoneLow ? [temperatures.high, temperatures.low] : [temperatures.high]
        return CompleteText(view: view, needed: needed, others: others, single: single)
    }

    /// Returns labels for ``Temperatures/single`` in several text styles.
    static func singles(
        _ temperatures: Temperatures,
        _ styles: [LayoutFont.Style],
        color: LayoutText.ColorRole = .label
    ) -> [any View] {
        styles.map { Label(DisplayText(temperatures.single ?? ""), $0, color: color, isHugging: true) }
    }
}

/// A view with replacements, which are used if the view does not show some texts.
private struct CompleteText: View {
    let view: any View
    /// The texts that the view must show.
    let needed: [String]
    let others: [any View]
    /// The text that each of the replacements must show.
    let single: String

    var isFlexible: Bool { view.isFlexible }
    var priority: Int { view.priority }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        let solved = view.solve(in: room, environment)
        if let solved, needed.allSatisfy({ Self.shows(solved.views, $0) }) { return solved }
        for other in others {
            if let solved = other.solve(in: room, environment), Self.shows(solved.views, single) { return solved }
        }
        return solved
    }

    private static func shows(_ views: [LayoutView], _ text: String) -> Bool {
        let text = DisplayText(text).string
        return views.contains { view in
            view.text?.lines.contains { $0.text == text } ?? false || shows(view.views ?? [], text)
        }
    }
}
