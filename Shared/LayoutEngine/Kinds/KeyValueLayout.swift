// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The layout of one fact, "key - value", with a button; a tap on the button shows another fact.
///
/// If the configuration requests all facts and enough rows fit, the widget shows a table of all facts instead.
///
/// The widget's `InteractionState` selects the fact. Its `seed` determines a random order of the facts, and its
/// `position` is the number of steps that the user has made in this order.
struct KeyValueLayout: WidgetLayout {
    /// The minimum width and height of the button, in points.
    ///
    /// If the text is scaled up, the minimum is multiplied by the scale of the text.
    static let buttonSide = 44.0
    static let spacing = 8.0
    /// The padding of the text in points; the button has none.
    static let padding = EdgeInsets(top: 8, bottom: 4)
    /// The minimum width of the text beside the button, as a multiple of the font size.
    static let narrowestText = 2.5
    static let maximumLines = 8
    /// The minimum number of rows in a table of all facts; if fewer rows fit, the widget shows only one fact.
    ///
    /// If there are fewer facts than this number, a row for each fact must fit.
    static let fewestRows = 3
    /// The maximum width of the keys in a table, as a fraction of the row's width.
    static let widestKey = 0.45

    func insets(on family: Display.Family) -> InsetsOverride {
        family == .todayClassic ? InsetsOverride(bottom: 5, trailing: 10) : InsetsOverride()
    }

    var empty: Placeholder { .empty(.noFacts) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        if case .keyValue(let facts) = content, let table = Self.table(of: facts, in: environment) { return table }
        guard let pair = Self.pair(of: content, environment) else { return nil }
        return Self.view(Self.label(of: pair), in: environment)
    }

    func mainText(of content: Content, in environment: LayoutEnvironment) -> MainText? {
        guard case .keyValue(let facts) = content, let pair = Self.pair(of: content, environment) else { return nil }
        // In smaller type, there may be space for a table.
        let smallest = environment.scaled(by: DynamicType.smallestSize / environment.scaled(by: 1).font(.body).size)
        guard Self.table(of: facts, in: smallest) == nil else { return nil }
        let area = environment.area
        let side = area.grid.nearest(Self.buttonSide) + Self.spacing
        let hasButtonBeside =
            !area.isNarrow && area.textWidth - side >= Self.narrowestText * environment.font(.body).size
        // The widest and highest space: it is smaller if the button grows with the text.
        let room = Room(
            width: area.textWidth - (hasButtonBeside ? side : 0),
            height: area.roomHeight - (!hasButtonBeside ? 0 : Self.padding.top + Self.padding.bottom)
        )
        return MainText(Self.label(of: pair), in: Room(width: room.width, height: max(room.height, 0)), environment)
    }

    private static func label(of pair: KeyValuePair) -> Label {
        Label(DisplayText("\(pair.key) - \(pair.value)"), .body, lines: maximumLines, priority: 1)
    }

    func accessoryLayout(of content: Content, in environment: LayoutEnvironment) -> AccessoryLayout? {
        Self.pair(of: content, environment).map { pair in
            AccessoryLayout(
                symbol: .fact,
                title: "\(pair.key) - \(pair.value)",
                short: pair.value,
                action: .command(.nextValue)
            )
        }
    }

    /// Returns a table of all facts; nil if the table is not requested or does not fit.
    ///
    /// The configuration must request all facts, and there must be at least two facts. At least ``fewestRows`` rows
    /// must fit; if there are fewer facts than this number, a row for each fact must fit.
    private static func table(of facts: KeyValueContent, in environment: LayoutEnvironment) -> Table? {
        guard environment.moment.definition.show == .all, facts.pairs.count > 1 else { return nil }
        let isStacked = environment.isAccessibilitySize || environment.area.isNarrow
        let key: LayoutFont.Style = isStacked ? .caption1 : .subheadline
        let fonts = [environment.font(key), environment.font(.subheadline)]
        let heights = RowHeights(lines: isStacked ? fonts : [fonts[1]], grid: environment.area.grid)
        let fewest = min(fewestRows, facts.pairs.count)
        guard let level = heights.levels.first,
            heights.fitting(level, rows: fewest, in: environment.area.roomHeight).count == fewest
        else { return nil }
        // The value begins at least half an em behind the longest key.
        let gap = max(spacing, environment.area.grid.up(fonts[1].size / 2))
        let room = environment.columnWidth - gap
        let widest = facts.pairs.reduce(0) { max($0, environment.width(of: DisplayText($1.key), font: fonts[0])) }
        let keyWidth = environment.area.grid.nearest(min(widest, room * widestKey))
        return Table(
            facts.pairs,
            heights: RowHeights([level]),
            limits: RowLimits(collapsed: facts.pairs.count, expanded: facts.pairs.count)
        ) { pair, _ in
            let name = Label(DisplayText(pair.key), key, color: .secondaryLabel)
            let value = Label(DisplayText(pair.value), .subheadline, priority: 1)
            if isStacked {
                return TableRow(
                    id: pair.key,
                    VerticalStack {
                        name
                        value
                    }
                )
            }
            return TableRow(
                id: pair.key,
                HorizontalStack(spacing: gap, alignment: .firstBaseline) {
                    Frame(width: .points(keyWidth), name)
                    value
                }
            )
        }
    }

    /// Returns a view that contains the placeholder and the button; a tap on the button requests content.
    ///
    /// On accessory widgets, the view contains only the placeholder.
    func view(of placeholder: Placeholder, in environment: LayoutEnvironment) -> any View {
        guard !environment.display.family.isAccessory else { return placeholder.view(in: environment) }
        return Self.view(placeholder.label(in: environment, alignment: .leading), in: environment)
    }

    private static func pair(of content: Content, _ environment: LayoutEnvironment) -> KeyValuePair? {
        guard case .keyValue(let facts) = content else { return nil }
        return environment.moment.interaction.shownIndex(among: facts.pairs.map(\.key)).map { facts.pairs[$0] }
    }

    private static func view(_ label: Label, in environment: LayoutEnvironment) -> any View {
        let side = max(
            environment.area.grid.nearest(buttonSide * max(environment.typeScale, 1)),
            environment.area.grid.up(environment.font(.body).leading)
        )
        let symbol = Symbol(SymbolName.refresh.rawValue, .body, color: .tint)
        if environment.area.isNarrow, environment.area.roomHeight >= side + 2 * environment.font(.body).leading {
            // The text gets the full width, and the button is below it.
            let button = Frame(width: .points(side), height: .points(side), horizontal: .center, symbol)
            return VerticalStack {
                Frame(
                    width: .room,
                    padding: EdgeInsets(top: environment.area.top > 0 ? 0 : padding.top),
                    minimumHeight: reservedHeight(besideButton: 0, environment),
                    label
                )
                .inTextMargins(of: environment)
                Frame(width: .room, horizontal: .trailing, Button(.command(.nextValue), button)).withPriority(2)
            }
        }
        // The button is the only way to the other facts, so the text gets narrower first. The button is omitted only if
        // the text would become unreadable.
        let isRoomForBoth =
            environment.area.textWidth - side - spacing >= narrowestText * environment.font(.body).size
        return HorizontalStack(spacing: spacing) {
            Frame(
                padding: padding,
                minimumHeight: reservedHeight(besideButton: isRoomForBoth ? side + spacing : 0, environment),
                label
            )
            Button(
                .command(.nextValue),
                priority: isRoomForBoth ? label.priority + 1 : 0,
                Frame(width: .points(side), height: .points(side), horizontal: .center, symbol)
            )
        }.inTextMargins(of: environment)
    }

    /// Returns the minimum height of the text in points, so that the widget has the same height with a fact, with a progress
    /// text and with an error; 0 if the content does not determine the height.
    private static func reservedHeight(besideButton width: Double, _ environment: LayoutEnvironment) -> Double {
        let area = environment.area
        guard area.mode.isExpanded else { return 0 }
        return Placeholder.height(width: area.textWidth - width, in: environment) + padding.top + padding.bottom
    }
}
