// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Complete rows of a title, a date at the trailing edge of its first line, and a detail below it, with rules between them.
///
/// All rows have the same step of type: the ordinary one or, if all rows are complete in larger type, a larger one. Free
/// height goes to details, then to type, then to the space between the rows.
struct PanelList: PanelView {
    struct Row {
        let id: String
        let action: LayoutAction?
        /// The name of a symbol before the title; nil for none.
        var symbol: String?
        let title: DisplayText
        /// The text that replaces a title without a glyph on this panel; nil for "Untitled".
        var summary: DisplayText?
        var date: DisplayText?
        var detail: DisplayText?
    }

    /// The steps of the titles, and of the labels beside and below them.
    struct Level: Hashable {
        let title: PanelType.Step
        let detail: PanelType.Step
    }

    private static let levels = [
        Level(title: .tiny, detail: .tiny), Level(title: .small, detail: .small), Level(title: .text, detail: .small),
        Level(title: .title, detail: .small), Level(title: .heading, detail: .title),
        Level(title: .large, detail: .heading),
    ]
    static let titleLines = 2
    /// The space above the title and below the last label of a row.
    private static let padding = (top: 7.0, bottom: 6.0)
    private static let narrowPadding = (top: 4.0, bottom: 3.0)
    static let gap = 12.0
    static let symbolGap = 6.0
    /// The minimum width of a title beside its date, in multiples of the title's size; in less space, the date is below it.
    private static let narrowestTitle = 6.0
    /// The minimum height of a row that somebody can tap.
    private static let tappable = 44.0
    /// The maximum space that is added between two rows if there are no more rows, in lines of a title.
    private static let mostLines = 2.0
    /// The maximum space that is added between two rows if there are more rows than fit.
    private static let mostAdded = 8.0

    let room: PanelRoom
    let rows: [Row]
    /// A Boolean value that indicates whether details are shown even if this leaves space for fewer rows.
    var needsDetails = false

    var type: PanelType { room.type }

    var body: PanelBody? {
        guard let plan = bestPlan else { return nil }
        return views(of: plan)
    }

    // MARK: Choosing the type

    /// The index of the ordinary level for the width.
    private var ordinary: Int {
        if !type.isNarrow { return 3 }
        return type.width >= 200 ? 2 : 1
    }

    private var levels: [Level] { Self.levels.filter { $0.title >= type.smallest } }

    private var bestPlan: Plan? {
        let base = levels.firstIndex(of: Self.levels[ordinary]) ?? 0
        var best: (plan: Plan, index: Int)?
        for index in (0...base).reversed() {
            guard let plan = plan(levels[index]) else { continue }
            // If every step breaks an ordinary word, the smallest one breaks the fewest.
            best = (plan, index)
            if plan.isReadable { break }
        }
        guard var plan = best?.plan ?? self.plan(levels[0], titleLines: 1) else { return nil }
        guard best?.index == base, plan.isComplete else { return plan }
        for level in levels[(base + 1)...] {
            // In a narrow area, a title on one line is easier to read than a larger one on two.
            guard let larger = self.plan(level), larger.isComplete, larger.dates >= plan.dates,
                larger.details >= plan.details, !type.isNarrow || larger.lines <= plan.lines
            else { break }
            plan = larger
        }
        return plan
    }

    // MARK: Plans

    /// The rows that fit at one level.
    private struct Plan {
        let level: Level
        var rows: [PlacedRow] = []
        /// The height of the rows without the padding below the last one.
        var height = 0.0
        var showsAll = false

        /// A Boolean value that indicates whether no ordinary word is broken.
        var isReadable: Bool { !rows.contains { $0.title.breaksWord } }
        var isComplete: Bool { showsAll && !rows.contains { !$0.title.isWhole || $0.detail?.isCut == true } }
        var dates: Int { rows.count { $0.date != nil } }
        var details: Int { rows.count { $0.detail != nil } }
        /// The number of lines of all titles.
        var lines: Int { rows.reduce(0) { $0 + $1.title.lines } }
    }

    private struct PlacedRow {
        let row: Row
        let title: PanelLabel
        var date: PanelLabel?
        var detail: PanelLabel?
        /// The height from the top of the row to the bottom of its last label.
        var height: Double
    }

    private func plan(_ level: Level, titleLines: Int = Self.titleLines) -> Plan? {
        let plain = plan(level, titleLines: titleLines, showsDetails: false)
        let detailed = plan(level, titleLines: titleLines, showsDetails: true)
        guard let plain else { return detailed }
        guard let detailed, needsDetails || detailed.rows.count == plain.rows.count else { return plain }
        return detailed
    }

    /// Returns the complete rows that fit; nil if not even one does.
    private func plan(_ level: Level, titleLines: Int, showsDetails: Bool) -> Plan? {
        var plan = Plan(level: level)
        var used = 0.0
        for row in rows {
            guard let placed = placed(row, level, titleLines: titleLines, showsDetail: showsDetails) else { continue }
            guard used + placed.height <= room.frame.height else { break }
            plan.height = used + placed.height
            used = plan.height + padding.bottom + type.line
            plan.rows.append(placed)
        }
        plan.showsAll = plan.rows.count == rows.count
        return plan.rows.isEmpty ? nil : plan
    }

    private var padding: (top: Double, bottom: Double) {
        let padding = type.isNarrow ? Self.narrowPadding : Self.padding
        return (type.length(padding.top), type.length(padding.bottom))
    }

    /// Returns the side of the symbols, which is a multiple of 16 pixels so that their strokes are whole.
    private func symbolSide(_ level: Level) -> Double { type.length(level.title >= .heading ? 32 : 16) }

    /// Returns the distance from the top of a title to that of its symbol, which is negative if the symbol is higher.
    private func symbolTop(_ level: Level) -> Double { ((type.leading(level.title) - symbolSide(level)) / 2).rounded() }

    /// Returns the distance from the leading edge of a row to its texts.
    private func indent(_ row: Row, _ level: Level) -> Double {
        row.symbol == nil ? 0 : symbolSide(level) + type.length(Self.symbolGap)
    }

    private func placed(_ row: Row, _ level: Level, titleLines: Int, showsDetail: Bool) -> PlacedRow? {
        let width = room.frame.width - indent(row, level)
        let size = type.length(level.title.rawValue)
        var date = row.date.flatMap { room.label($0, level.detail, width: width) }.flatMap { $0.isCut ? nil : $0 }
        var below = showsDetail ? row.detail : nil
        if let label = date, width - label.width - type.length(Self.gap) < Self.narrowestTitle * size {
            date = nil
            if showsDetail { below = below ?? row.date }
        }
        let beside = date.map { width - $0.width - type.length(Self.gap) } ?? width
        guard var title = title(of: row, level, width: beside, lines: titleLines) else { return nil }
        // A title is cut only without its date.
        if date != nil, !title.isWhole,
            let wider = self.title(of: row, level, width: width, lines: titleLines)
        {
            (title, date) = (wider, nil)
        }
        let detail = below.flatMap { self.detail($0, level.detail, width: width) }
        var height = padding.top + title.height + (detail?.height ?? 0)
        if row.symbol != nil { height = max(height, padding.top + symbolTop(level) + symbolSide(level)) }
        if let date { height = max(height, padding.top + title.baseline - date.baseline + date.height) }
        if row.action != nil { height = max(height, type.length(Self.tappable) - padding.bottom) }
        return PlacedRow(row: row, title: title, date: date, detail: detail, height: height)
    }

    /// Returns the title of a row, or the first text in its place that has a glyph; nil if the width holds no letters.
    private func title(of row: Row, _ level: Level, width: Double, lines: Int) -> PanelLabel? {
        func label(_ text: DisplayText) -> PanelLabel? {
            room.label(text, level.title, .bold, width: width, lines: lines)
        }
        return label(row.title) ?? row.summary.flatMap(label) ?? label(DisplayText(room.environment.words(.untitled)))
    }

    /// Returns a detail in the largest step in which it is whole; cut if there is none.
    private func detail(_ text: DisplayText, _ step: PanelType.Step, width: Double) -> PanelLabel? {
        for step in type.steps(from: step) {
            guard let label = room.label(text, step, width: width), !label.isCut else { continue }
            return label
        }
        return room.label(text, step, width: width)
    }

    // MARK: Views

    private func views(of plan: Plan) -> PanelBody {
        var body = PanelBody(views: [], rowIDs: plan.rows.map(\.row.id))
        let gaps = plan.rows.count - 1
        let free = room.frame.height - plan.height
        let most = plan.showsAll ? Self.mostLines * type.leading(plan.level.title) : type.length(Self.mostAdded)
        // The first row has half of what is added between two rows.
        let added = gaps > 0 ? min((free / (Double(gaps) + 0.5)).rounded(.down), most) : 0
        let above = (added / 2).rounded(.down)
        var y = room.frame.y
        for (index, placed) in plan.rows.enumerated() {
            let isLast = index == gaps
            let height =
                isLast
                ? min(above + placed.height + padding.bottom, room.bottom - y)
                : above + placed.height + padding.bottom + type.line + added - above
            body.views.append(
                LayoutView(
                    kind: .row,
                    frame: Rectangle(x: room.frame.x, y: y, width: room.frame.width, height: height),
                    action: placed.row.action,
                    views: views(of: placed, plan.level, top: above + padding.top)
                )
            )
            y += height
            if !isLast { body.views.append(room.rule(y: y - type.line)) }
        }
        return body
    }

    /// Returns the labels of a row; `top` is the distance from the row's top to its title.
    private func views(of placed: PlacedRow, _ level: Level, top: Double) -> [LayoutView] {
        let indent = indent(placed.row, level)
        var views: [LayoutView] = []
        if let symbol = placed.row.symbol {
            views.append(room.symbol(symbol, side: symbolSide(level), x: 0, y: max(top + symbolTop(level), 0)))
        }
        views.append(placed.title.view(x: indent, y: top))
        if let date = placed.date {
            let y = top + placed.title.baseline - date.baseline
            views.append(date.view(trailing: room.frame.width, y: y))
        }
        if let detail = placed.detail { views.append(detail.view(x: indent, y: top + placed.title.height)) }
        return views
    }
}
