// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The first day of a forecast: its symbol, the high temperature as a large number, and the condition beside or below it.
struct PanelForecastBlock {
    /// The details that a form shows in addition to the number.
    enum Detail: CaseIterable {
        /// The symbol, and the condition in words with both temperatures.
        case all
        /// The condition in words with both temperatures.
        case condition
        /// The symbol, and a word for the number.
        case symbol
        /// A word for the number.
        case word

        /// The smallest number beside which the detail is preferred to a larger number with fewer details.
        var smallestNumber: PanelType.Step {
            switch self {
            case .all, .condition: .large
            case .symbol: .heading
            case .word: .title
            }
        }
    }

    private static let padding = 8.0
    /// The minimum space below the views.
    private static let leastBelow = 3.0
    private static let gap = 10.0
    /// The minimum width of a condition, in multiples of its size.
    private static let narrowestCondition = 4.5
    private static let conditionLines = 2

    let day: ForecastDay
    private(set) var views: [LayoutView] = []
    /// The height with the ordinary space above and below.
    private(set) var height = 0.0
    /// The additional space above the views.
    var top = 0.0 {
        didSet {
            for index in views.indices { views[index].frame.y += top - oldValue }
        }
    }

    private let room: PanelRoom

    /// Creates the first day with a detail; nil if they do not fit the area.
    ///
    /// The views are relative to the area.
    init?(_ day: ForecastDay, _ step: PanelType.Step, _ detail: Detail, in room: PanelRoom) {
        self.day = day
        self.room = room
        let texts = Texts(day, room.environment)
        switch detail {
        case .all, .condition:
            let hasSymbol = detail == .all
            if !addBeside(texts, step, hasSymbol: hasSymbol), !addBelow(texts, step, hasSymbol: hasSymbol) {
                return nil
            }
        case .symbol: if !addAlone(texts, step, hasSymbol: true), !addStacked(texts, step) { return nil }
        case .word: if !addAlone(texts, step, hasSymbol: false) { return nil }
        }
    }

    /// The texts of a day.
    private struct Texts {
        let number: DisplayText
        let condition: DisplayText
        /// The name of a day that is not today, and both temperatures.
        let range: DisplayText
        /// The word for the number if it stands alone.
        let high: DisplayText

        init(_ day: ForecastDay, _ environment: LayoutEnvironment) {
            let temperatures = ForecastLayout.Temperatures(of: day, in: environment).withMinusSigns
            number = DisplayText(temperatures.high.isEmpty ? ForecastLayout.Temperatures.missing : temperatures.high)
            condition = DisplayText(day.conditionWords(in: environment.language))
            let name = day.date == environment.today ? nil : environment.name(of: day.date, length: .abbreviated)
            let both = temperatures.low.isEmpty ? nil : "\(temperatures.low) – \(temperatures.high)"
            range = DisplayText([name, both].compactMap(\.self).joined(separator: " · "))
            high = DisplayText(PanelWord.high.string(in: environment.language))
        }
    }

    private var type: PanelType { room.type }

    private func symbolSide(_ step: PanelType.Step) -> Double {
        switch step {
        case .largestNumber: type.length(128)
        case .largeNumber: type.length(96)
        case .number: type.length(64)
        case .extraLarge: type.length(48)
        case .large, .heading: type.length(32)
        case .title, .text, .small, .tiny: type.length(16)
        }
    }

    /// Returns the step of the condition beside a number of another step, from the largest to the smallest.
    private func conditionSteps(_ step: PanelType.Step) -> [PanelType.Step] {
        switch step {
        case .largestNumber: type.steps(from: .large)
        case .largeNumber: type.steps(from: .heading)
        case .number: type.steps(from: .title)
        case .extraLarge, .large: type.steps(from: .text)
        case .heading, .title, .text, .small, .tiny: type.steps(from: .small)
        }
    }

    /// Returns the step of both temperatures below a condition.
    private func rangeStep(below condition: PanelType.Step) -> PanelType.Step {
        let step: PanelType.Step = condition >= .large ? .heading : condition >= .heading ? .title : .small
        return max(min(condition, step), type.smallest)
    }

    /// Adds the symbol and the number to `views`, centred in a height, and returns the distance to their right edge; nil if
    /// they do not fit.
    private func head(
        _ texts: Texts,
        _ step: PanelType.Step,
        hasSymbol: Bool
    ) -> (views: [LayoutView], width: Double, height: Double)? {
        let side = hasSymbol ? symbolSide(step) : 0
        let x = hasSymbol ? side + type.length(Self.gap) : 0
        guard let number = room.label(texts.number, step, .bold, width: DisplayArea.maximumLength),
            x + number.width <= room.frame.width
        else { return nil }
        let height = max(side, number.height)
        let top = type.length(Self.padding)
        var views: [LayoutView] = []
        if hasSymbol {
            let y = top + ((height - side) / 2).rounded(.down)
            views.append(room.symbol(day.condition.symbol.rawValue, side: side, x: 0, y: y))
        }
        views.append(number.view(x: x, y: top + ((height - number.height) / 2).rounded(.down)))
        return (views, x + number.width, height)
    }

    private mutating func addBeside(_ texts: Texts, _ step: PanelType.Step, hasSymbol: Bool) -> Bool {
        guard let head = head(texts, step, hasSymbol: hasSymbol) else { return false }
        for conditionStep in conditionSteps(step) {
            let x = head.width + type.length(max(Self.gap, conditionStep.rawValue / 2))
            let width = room.frame.width - x
            guard width >= Self.narrowestCondition * type.length(conditionStep.rawValue),
                let label = room.label(
                    texts.condition,
                    conditionStep,
                    .bold,
                    width: width,
                    lines: Self.conditionLines
                ), label.isGood(in: conditionStep, of: type)
            else { continue }
            let range = room.label(texts.range, rangeStep(below: conditionStep), width: width)
            guard texts.range.isEmpty || range?.isCut == false else { continue }
            let height = label.height + (range?.height ?? 0)
            guard fits(max(head.height, height)) else { continue }
            let inner = max(head.height, height)
            var views = head.views
            for index in views.indices { views[index].frame.y += ((inner - head.height) / 2).rounded(.down) }
            let y = type.length(Self.padding) + ((inner - height) / 2).rounded(.down)
            views.append(label.view(x: x, y: y))
            if let range { views.append(range.view(x: x, y: y + label.height)) }
            self.views = views
            return true
        }
        return false
    }

    private mutating func addBelow(_ texts: Texts, _ step: PanelType.Step, hasSymbol: Bool) -> Bool {
        guard let head = head(texts, step, hasSymbol: hasSymbol) else { return false }
        for conditionStep in conditionSteps(step) {
            guard
                let label = room.label(
                    texts.condition,
                    conditionStep,
                    .bold,
                    width: room.frame.width,
                    lines: Self.conditionLines
                ), label.isGood(in: conditionStep, of: type)
            else { continue }
            let range = room.label(texts.range, rangeStep(below: conditionStep), width: room.frame.width)
            guard texts.range.isEmpty || range?.isCut == false,
                fits(head.height + label.height + (range?.height ?? 0))
            else { continue }
            let y = type.length(Self.padding) + head.height
            views = head.views + [label.view(x: 0, y: y)]
            if let range { views.append(range.view(x: 0, y: y + label.height)) }
            return true
        }
        return false
    }

    /// Adds the number with a word that says which one it is, beside or below it.
    private mutating func addAlone(_ texts: Texts, _ step: PanelType.Step, hasSymbol: Bool) -> Bool {
        guard let head = head(texts, step, hasSymbol: hasSymbol),
            let word = room.label(texts.high, type.smallest, width: room.frame.width), !word.isCut
        else { return false }
        let x = head.width + type.length(Self.gap)
        if x + word.width <= room.frame.width, fits(head.height) {
            let y = type.length(Self.padding) + ((head.height - word.height) / 2).rounded(.down)
            views = head.views + [word.view(x: x, y: y)]
            return true
        }
        guard fits(head.height + word.height) else { return false }
        views = head.views + [word.view(x: 0, y: type.length(Self.padding) + head.height)]
        return true
    }

    /// Adds the symbol, the number and its word, one below the other.
    private mutating func addStacked(_ texts: Texts, _ step: PanelType.Step) -> Bool {
        let side = symbolSide(step)
        guard let number = room.label(texts.number, step, .bold, width: room.frame.width), !number.isCut,
            let word = room.label(texts.high, type.smallest, width: room.frame.width), !word.isCut,
            side <= room.frame.width, fits(side + number.height + word.height)
        else { return false }
        let y = type.length(Self.padding)
        views = [
            room.symbol(day.condition.symbol.rawValue, side: side, x: 0, y: y),
            number.view(x: 0, y: y + side),
            word.view(x: 0, y: y + side + number.height),
        ]
        return true
    }

    /// Sets the height if views of a height fit.
    private mutating func fits(_ inner: Double) -> Bool {
        let padding = type.length(Self.padding)
        // The space below is less important than the views.
        guard padding + inner + type.length(Self.leastBelow) <= room.frame.height else { return false }
        height = min(2 * padding + inner, room.frame.height)
        return true
    }
}

/// The other days of a forecast side by side: name, symbol, high and low temperature.
struct PanelForecastColumns {
    /// The space above the names and the lines between the columns.
    static let padding = 4.0
    private static let symbolSpace = 4.0
    /// The minimum space between the texts of two columns, in multiples of their size.
    private static let least = 0.5

    let room: PanelRoom
    let days: [ForecastDay]
    let step: PanelType.Step
    let hasSymbols: Bool
    let action: (ForecastDay) -> LayoutAction?

    private var type: PanelType { room.type }
    private var columnWidth: Double { (room.frame.width / Double(days.count)).rounded(.down) }
    private var symbolSide: Double { hasSymbols ? type.length(step >= .heading ? 64 : 32) : 0 }
    private var symbolHeight: Double { hasSymbols ? symbolSide + 2 * type.length(Self.symbolSpace) : 0 }

    /// The height without additional space.
    var height: Double { type.length(Self.padding) + 3 * type.leading(step) + symbolHeight }

    /// The number of spaces that can grow.
    var gaps: Double { hasSymbols ? 2 : 1 }

    /// The maximum growth of a space.
    var mostSpread: Double { hasSymbols ? type.leading(step) : (type.leading(step) / 2).rounded(.down) }

    /// A Boolean value that indicates whether each symbol and each text fit into their column.
    var fits: Bool { symbolSide <= space && names != nil && days.allSatisfy { texts(of: $0) != nil } }

    private var space: Double { columnWidth - (Self.least * type.length(step.rawValue)).rounded(.up) }

    /// The names of the days, all in the same length; nil if one of them does not fit.
    private var names: [PanelLabel]? {
        for length in [LocaleFormats.WeekdayLength.abbreviated, .short] {
            let labels = days.compactMap { centred(room.environment.name(of: $0.date, length: length), .bold) }
            if labels.count == days.count { return labels }
        }
        return nil
    }

    private func texts(of day: ForecastDay) -> (high: PanelLabel, low: PanelLabel)? {
        let temperatures = ForecastLayout.Temperatures(of: day, in: room.environment).withMinusSigns
        let missing = ForecastLayout.Temperatures.missing
        guard let high = centred(temperatures.high.isEmpty ? missing : temperatures.high, .bold),
            let low = centred(temperatures.low.isEmpty ? missing : temperatures.low, .regular)
        else { return nil }
        return (high, low)
    }

    private func centred(_ text: String, _ weight: LayoutFont.Weight) -> PanelLabel? {
        guard room.width(of: DisplayText(text), step, weight) <= space else { return nil }
        return room.label(DisplayText(text), step, weight, width: columnWidth, alignment: .center)
    }

    /// Returns the columns in an area of the height; `spread` is added above and below each symbol.
    func body(in room: PanelRoom, spread: Double) -> PanelBody {
        var body = PanelBody(views: [], rowIDs: days.map(\.date.description))
        for (index, (day, name)) in zip(days, names ?? []).enumerated() {
            let x = room.frame.x + Double(index) * columnWidth
            var y = type.length(Self.padding)
            var views = [name.view(x: 0, y: y)]
            y += name.height + spread
            if hasSymbols {
                let side = symbolSide
                y += type.length(Self.symbolSpace)
                views.append(
                    room.symbol(
                        day.condition.symbol.rawValue,
                        side: side,
                        x: ((columnWidth - side) / 2).rounded(.down),
                        y: y
                    )
                )
                y += side + type.length(Self.symbolSpace) + spread
            }
            if let texts = texts(of: day) {
                views += [texts.high.view(x: 0, y: y), texts.low.view(x: 0, y: y + texts.high.height)]
            }
            let frame = Rectangle(x: x, y: room.frame.y, width: columnWidth, height: room.frame.height)
            body.views.append(LayoutView(kind: .row, frame: frame, action: action(day), views: views))
            if index > 0 {
                let top = room.frame.y + type.length(Self.padding)
                body.views.append(room.dots(x: x, y: top, height: room.bottom - top))
            }
        }
        return body
    }
}
