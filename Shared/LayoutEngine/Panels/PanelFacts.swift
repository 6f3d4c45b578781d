// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// All facts: the key at the leading edge, and its value in bold at the trailing edge.
struct PanelFacts: PanelView {
    /// The steps of the keys and of the values.
    struct Level: Hashable {
        let key: PanelType.Step
        let value: PanelType.Step
    }

    private static let levels = [
        Level(key: .tiny, value: .tiny), Level(key: .small, value: .small), Level(key: .text, value: .title),
        Level(key: .title, value: .heading), Level(key: .heading, value: .large),
        Level(key: .large, value: .extraLarge),
    ]
    private static let top = 5.0
    private static let padding = 3.0
    /// The minimum distance between a key and its value, in multiples of the value's size.
    private static let leastGap = 0.5
    /// The minimum width of facts with rules between them, which lead the eye to the value.
    private static let widthOfRules = 400.0
    private static let valueLines = 2
    /// The text in place of a value without a glyph on this panel.
    static let missing = DisplayText("–")
    /// The maximum part of the facts whose value is below its key, in type of the ordinary size.
    private static let mostStacked = 1.0 / 3

    let room: PanelRoom
    let pairs: [KeyValuePair]

    private var type: PanelType { room.type }

    var body: PanelBody? {
        guard let plan = bestPlan else { return nil }
        return views(of: plan)
    }

    // MARK: Plans

    private struct Plan {
        let level: Level
        var rows: [PlacedRow] = []
        var height = 0.0
        var showsAll = false

        /// A Boolean value that indicates whether all facts are shown, each on one line.
        var isComplete: Bool { showsAll && !rows.contains { $0.isStacked } }
        /// A Boolean value that indicates whether all facts are shown in full, most of them on one line.
        var isWhole: Bool {
            showsAll && Double(rows.count { $0.isStacked }) <= PanelFacts.mostStacked * Double(rows.count)
                && !rows.contains { $0.value.isCut || $0.key?.isCut == true }
        }
    }

    private struct PlacedRow {
        let pair: KeyValuePair
        let key: PanelLabel?
        let value: PanelLabel
        /// A Boolean value that indicates whether the value is below the key.
        let isStacked: Bool
        let height: Double
    }

    private var bestPlan: Plan? {
        let levels = Self.levels.filter { $0.key >= type.smallest }
        let ordinary = Self.levels[type.width >= 200 ? 2 : 1]
        let base = levels.firstIndex(of: ordinary) ?? 0
        var best: Plan?
        for level in levels[...base].reversed() {
            guard let plan = plan(level) else { continue }
            if plan.isWhole || plan.rows.count > best?.rows.count ?? 0 { best = plan }
            if plan.isWhole { break }
        }
        guard var plan = best, plan.level == levels[base], plan.isComplete else { return best }
        for level in levels[(base + 1)...] {
            guard let larger = self.plan(level), larger.isComplete else { break }
            plan = larger
        }
        return plan
    }

    private var top: Double { type.length(Self.top) }
    private var line: Double { type.width >= Self.widthOfRules ? type.line : 0 }

    private func plan(_ level: Level) -> Plan? {
        var plan = Plan(level: level)
        var used = top
        let limit = room.shown(pairs)
        for pair in limit {
            guard let row = placed(pair, DisplayText(pair.value), level) ?? placed(pair, Self.missing, level) else {
                continue
            }
            guard used + row.height <= room.frame.height else { break }
            used += row.height + line
            plan.height = used - line
            plan.rows.append(row)
        }
        plan.showsAll = plan.rows.count == limit.count
        return plan.rows.isEmpty ? nil : plan
    }

    /// Returns a row with `text` as its value; nil if the text has no glyph, or if the width holds no letters.
    private func placed(_ pair: KeyValuePair, _ text: DisplayText, _ level: Level) -> PlacedRow? {
        let width = room.frame.width
        let gap = max(type.length(Self.leastGap * level.value.rawValue), 1)
        let key = DisplayText(pair.key)
        let least = max(type.leading(level.key), type.leading(level.value))
        if let value = room.label(text, level.value, .bold, width: width), !value.isCut {
            let label = room.label(key, level.key, width: width - gap - value.width)
            if key.isEmpty || label?.isCut == false {
                let height = least + type.length(Self.padding)
                return PlacedRow(pair: pair, key: label, value: value, isStacked: false, height: height)
            }
        }
        guard let value = room.label(text, level.value, .bold, width: width, lines: Self.valueLines) else { return nil }
        let label = room.label(key, level.key, width: width)
        let height = (label?.height ?? 0) + value.height + type.length(Self.padding)
        return PlacedRow(pair: pair, key: label, value: value, isStacked: true, height: height)
    }

    // MARK: Views

    private func views(of plan: Plan) -> PanelBody {
        var body = PanelBody(views: [], rowIDs: plan.rows.map(\.pair.key))
        let gaps = plan.rows.count - 1
        let most = plan.showsAll ? type.leading(plan.level.value) : type.length(Self.padding)
        let added =
            gaps > 0 ? min(((room.frame.height - plan.height) / Double(gaps)).rounded(.down), most) : 0
        var y = room.frame.y + top
        for (index, row) in plan.rows.enumerated() {
            let lead = index == 0 ? 0 : (added / 2).rounded(.down)
            let isLast = index == gaps
            let height = lead + row.height + (isLast ? 0 : line + added - (added / 2).rounded(.down))
            body.views.append(
                LayoutView(
                    kind: .row,
                    frame: Rectangle(x: room.frame.x, y: y, width: room.frame.width, height: height),
                    views: views(of: row, top: lead)
                )
            )
            y += height
            if line > 0, !isLast { body.views.append(room.rule(y: y - line)) }
        }
        return body
    }

    private func views(of row: PlacedRow, top: Double) -> [LayoutView] {
        let value = row.value
        guard !row.isStacked else {
            let keys = row.key.map { [$0.view(x: 0, y: top)] } ?? []
            let y = top + (row.key?.height ?? 0)
            // Lines of different lengths have a common edge only at the leading one.
            return keys + [value.lines > 1 ? value.view(x: 0, y: y) : value.view(trailing: room.frame.width, y: y)]
        }
        // Both are on one baseline.
        let baseline = max(value.baseline, row.key?.baseline ?? 0)
        let keys = row.key.map { [$0.view(x: 0, y: top + baseline - $0.baseline)] } ?? []
        return keys + [value.view(trailing: room.frame.width, y: top + baseline - value.baseline)]
    }
}

/// One fact: its key, and the value below it in the largest type that holds it.
struct PanelFact: PanelView {
    private static let top = 8.0
    private static let buttonSide = 44.0
    private static let symbolSide = 16.0

    let room: PanelRoom
    let pair: KeyValuePair

    private var type: PanelType { room.type }
    private var button: Double { type.length(Self.buttonSide) }
    /// A Boolean value that indicates whether there is a button for the next fact.
    private var hasButton: Bool {
        room.isInteractive && room.frame.height >= button && room.frame.width >= 3 * button
    }
    private var width: Double { room.frame.width - (hasButton ? button : 0) }

    var body: PanelBody? {
        guard var views = labels else { return nil }
        if hasButton {
            let side = type.length(Self.symbolSide)
            let inner = ((button - side) / 2).rounded(.down)
            views.append(
                LayoutView(
                    kind: .button,
                    frame: Rectangle(x: room.right - button, y: room.frame.y, width: button, height: button),
                    action: .command(.nextValue),
                    views: [room.symbol(SymbolName.refresh.rawValue, side: side, x: inner, y: inner)]
                )
            )
        }
        return PanelBody(views: views)
    }

    private var labels: [LayoutView]? {
        let (x, y) = (room.frame.x, room.frame.y + type.length(Self.top))
        let (key, value) = (DisplayText(pair.key), DisplayText(pair.value))
        var last: [LayoutView]?
        var whole: [LayoutView]?
        for step in type.steps {
            let keyStep = type.steps(from: keyStep(above: step)).first ?? step
            let label = room.label(key, keyStep, width: width, lines: PanelList.titleLines)
            let height = room.bottom - y - (label?.height ?? 0)
            let lines = Int(height / type.leading(step))
            guard
                let text = room.label(value, step, .bold, width: width, lines: lines)
                    ?? room.label(PanelFacts.missing, step, .bold, width: width, lines: lines)
            else { continue }
            let views =
                (label.map { [$0.view(x: x, y: y)] } ?? []) + [text.view(x: x, y: y + (label?.height ?? 0))]
            if text.isWhole, !text.breaksAnyWord, label?.isCut != true {
                // A smaller step is better than a last line of one letter.
                guard text.endsWithOneLetter else { return views }
                whole = whole ?? views
            }
            last = views
        }
        return whole ?? last
    }

    private func keyStep(above step: PanelType.Step) -> PanelType.Step {
        switch step {
        case .largeNumber, .largestNumber: .large
        case .number, .extraLarge: .heading
        case .large, .heading: .title
        case .title, .text, .small, .tiny: .small
        }
    }
}
