// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The rules for a layout of the gallery, in addition to the rules for a layout with any content.
///
/// The gallery's texts are as long as real ones, and its displays as large.
struct GalleryRules {
    /// The minimum length of a text that was cut.
    ///
    /// Ideographs and Tamil syllables count twice: they are as wide as two letters.
    static let fewestCharacters = 6
    /// The lock screen's circle is as wide as five or six letters.
    static let fewestInACircle = 4
    /// Between text and the upper and lower edge, in points.
    static let verticalMargin = 4.0

    private let item: Gallery.Item
    private let layout: Layout
    private var family: Display.Family { item.display.family }

    /// Returns the problems of an item's layout as texts; empty if there are none.
    static func problems(of item: Gallery.Item, _ layout: Layout) -> [String] {
        let rules = GalleryRules(item: item, layout: layout)
        if item.display.family == .panel {
            return rules.cutTexts + rules.daysWithoutTemperature
                + PanelLayoutRules.problems(of: layout, on: item.display)
                + PanelContentRules.problems(of: item, layout)
        }
        var problems = rules.cutTexts + rules.textsAtTheEdge
        if !rules.family.isAccessory {
            switch item.sample.definition.kind {
            case .feed, .json: problems += rules.cutDates + rules.largeDetails
            case .keyValue: problems += rules.missingButton
            case .forecast: problems += rules.unequalDays
            case .quote: problems += rules.cutAuthor + rules.largeDetails
            case .documents:
                problems += rules.brokenCaptions + rules.crookedSymbols + rules.cutDates + rules.largeDetails
            }
        }
        return problems
    }

    // MARK: All kinds

    private var cutTexts: [String] {
        let fewest = family == .accessoryCircular ? Self.fewestInACircle : Self.fewestCharacters
        return labels.filter { $0.isCut && $0.characters < fewest }.map { "'\($0.words)' is cut too short" }
    }

    private var textsAtTheEdge: [String] {
        guard !family.isAccessory else { return [] }
        return labels.filter { label in
            label.place.y < Self.verticalMargin
                || label.place.y + label.place.height > layout.size.height - Self.verticalMargin
        }.map { "'\($0.words)' touches the edge" }
    }

    // MARK: One kind

    private var missingButton: [String] {
        marks.contains { $0.isInButton && $0.view.kind == .image } ? [] : ["has no button for the next fact"]
    }

    private var unequalDays: [String] {
        let rows = layout.views.filter { $0.kind == .row }
        let looks = rows.dropFirst().map { row in
            Self.marks(of: [row]).map { "\($0.view.kind.rawValue) at \($0.place.x)" }.filter { $0.hasPrefix("image") }
        }
        var problems = Set(looks).count > 1 ? ["its days differ: \(looks)"] : []
        for row in rows {
            let marks = Self.marks(of: [row])
            if !marks.contains(where: { $0.view.kind == .image }) { problems.append("a day has no symbol") }
            if !marks.contains(where: { $0.words.hasSuffix("°") }) { problems.append("a day has no temperature") }
            if let name = marks.first(where: { $0.view.text != nil && !$0.words.hasSuffix("°") }), name.isCut {
                problems.append("the day '\(name.words)' is cut")
            }
        }
        return problems
    }

    /// Each day of a forecast on a panel has a number or a dash in the place of the high temperature.
    private var daysWithoutTemperature: [String] {
        guard item.sample.definition.kind == .forecast else { return [] }
        return layout.views.filter { $0.kind == .row }.filter { row in
            !Self.marks(of: [row]).contains { $0.words.hasSuffix("°") || $0.words == "–" }
        }.map { "the day '\(Self.marks(of: [$0]).first?.words ?? "")' has no temperature" }
    }

    private var cutAuthor: [String] {
        guard item.display.mode == .expanded else { return [] }
        return labels.filter { $0.view.text?.font.weight == .bold && $0.isCut }.map {
            "the author '\($0.words)' is cut"
        }
    }

    /// German has a caption of one word that is longer than its third of the widget.
    private var brokenCaptions: [String] {
        guard item.language != .german else { return [] }
        let titles = (item.sample.definition.actions ?? []).map(\.title)
        let captions = labels.filter(\.isInButton).prefix(titles.count).map(\.words)
        return captions.filter { !titles.contains($0) }.map { "the caption '\($0)' is cut or broken" }
    }

    /// The symbols of quick actions stand beside each other, or below each other.
    private var crookedSymbols: [String] {
        let places = marks.filter { $0.isInButton && $0.view.kind == .image }.map(\.place)
        let isStraight = Set(places.map(\.y)).count == 1 || Set(places.map(\.x)).count == 1
        return isStraight ? [] : ["the symbols of its actions stand at \(places.map(\.y))"]
    }

    /// The cut labels in the font of captions, outside buttons, that contain a digit: these are dates.
    private var cutDates: [String] {
        labels.filter { label in
            label.isCut && label.view.text?.font.style == .caption1 && !label.isInButton
                && label.words.contains { $0.isNumber }
        }.map { "the date '\($0.words)' is cut" }
    }

    /// The labels that are larger than the title of their row, or larger than their quote.
    private var largeDetails: [String] {
        let rows = layout.views.filter { $0.kind == .row }
        let groups = rows.isEmpty ? [labels] : rows.map { Self.marks(of: [$0]).filter { $0.view.text != nil } }
        return groups.flatMap { labels in
            let sizes = labels.compactMap(\.view.text?.font.size)
            return zip(labels, sizes).dropFirst().filter { $1 > sizes[0] }.map { label, size in
                "'\(label.words)' has \(size) points below a title of \(sizes[0])"
            }
        }
    }

    // MARK: Marks

    /// A label or an image, where it stands in the widget.
    private struct Mark {
        let view: LayoutView
        let place: Rectangle
        let isInButton: Bool

        /// Without the marks of direction, which nobody sees.
        var words: String {
            let text = (view.text?.lines ?? []).map(\.text).joined(separator: " ")
            return String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isBidiControl }))
        }

        var isCut: Bool { words.hasSuffix("…") && words != "…" }

        private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
            (0x3040...0x9FFF).contains(scalar.value) || (0x0B80...0x0BFF).contains(scalar.value)
        }

        var characters: Int {
            words.dropLast().reduce(0) { count, character in
                count + (character.unicodeScalars.contains(where: Self.isWide) ? 2 : 1)
            }
        }
    }

    private var marks: [Mark] { Self.marks(of: layout.views) }

    private var labels: [Mark] { marks.filter { $0.view.text != nil } }

    private static func marks(
        of views: [LayoutView],
        x: Double = 0,
        y: Double = 0,
        isInButton: Bool = false
    ) -> [Mark] {
        views.flatMap { view -> [Mark] in
            let frame = view.frame
            let place = Rectangle(x: x + frame.x, y: y + frame.y, width: frame.width, height: frame.height)
            let own = view.text != nil || view.image != nil
            let isInButton = isInButton || view.kind == .button
            return (own ? [Mark(view: view, place: place, isInButton: isInButton)] : [])
                + marks(of: view.views ?? [], x: place.x, y: place.y, isInButton: isInButton)
        }
    }
}
