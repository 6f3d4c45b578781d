// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Lays out one fact, "key - value", beside a button that shows another one.
///
/// Which one is the widget's state: the pairs stand in an order shuffled by its seed, and its position counts on.
struct KeyValueLayout: WidgetLayout {
    /// What a finger needs, in points.
    static let buttonSide = 44.0
    static let spacing = 8.0
    /// Above and below the text, in points; the button may stand at the insets.
    static let padding = EdgeInsets(top: 8, bottom: 4)
    /// The room that the text keeps beside the button, in times the font's size.
    static let narrowestText = 2.5
    static let maximumLines = 8

    var insets: InsetsOverride { InsetsOverride(bottom: 5, trailing: 10) }
    var empty: Placeholder { .empty(.noFacts) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        guard let pair = Self.pair(of: content, environment) else { return nil }
        let text = DisplayText("\(pair.key) - \(pair.value)")
        return Self.view(Label(text, .body, lines: Self.maximumLines, priority: 1), in: environment)
    }

    func glance(of content: Content, in environment: LayoutEnvironment) -> Glance? {
        Self.pair(of: content, environment).map { pair in
            Glance(
                symbol: .fact,
                title: "\(pair.key) - \(pair.value)",
                short: pair.value,
                action: .command(.nextValue)
            )
        }
    }

    /// With the button too: pressed before there is anything, it asks for it.
    func view(of placeholder: Placeholder, in environment: LayoutEnvironment) -> any View {
        guard !environment.display.family.isAccessory else { return placeholder.view(in: environment) }
        return Self.view(placeholder.label(in: environment, alignment: .leading), in: environment)
    }

    private static func pair(of content: Content, _ environment: LayoutEnvironment) -> KeyValuePair? {
        guard case .keyValue(let facts) = content else { return nil }
        return environment.moment.interaction.shownIndex(among: facts.pairs.map(\.key)).map { facts.pairs[$0] }
    }

    private static func view(_ label: Label, in environment: LayoutEnvironment) -> any View {
        let side = max(buttonSide, environment.area.grid.up(environment.font(.body).leading))
        let symbol = Symbol(SymbolName.refresh.rawValue, .body, color: .tint)
        // Beside so large a text it is the only way to the other facts; a text of one letter a line is none.
        let isRoomForBoth =
            environment.area.textWidth - side - spacing >= narrowestText * environment.font(.body).size
        return HorizontalStack(spacing: spacing) {
            Frame(padding: padding, label)
            Button(
                .command(.nextValue),
                priority: isRoomForBoth ? label.priority + 1 : 0,
                Frame(width: .points(side), height: .points(side), horizontal: .center, symbol)
            )
        }.inTextMargins(of: environment)
    }
}
