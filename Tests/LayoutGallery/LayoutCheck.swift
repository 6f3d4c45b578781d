// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import LayoutEngine

/// The check of a layout against the rules for all layouts; for example, no view exceeds its parent, and no two labels
/// or images overlap.
struct LayoutCheck {
    private let display: Display
    private let definition: WidgetDefinition
    private let area: DisplayArea

    init(display: Display, definition: WidgetDefinition) {
        self.display = display
        self.definition = definition
        area = DisplayArea(display, definition: definition, isRightToLeft: false)
    }

    /// Returns a description of each problem of a layout; empty if there are none.
    func problems(of layout: Layout) -> [String] {
        var findings = Findings(problems: sizeProblems(layout) + rowProblems(layout))
        let room = Rectangle(x: 0, y: 0, width: layout.size.width, height: layout.size.height)
        for view in layout.views { inspect(view, in: room, &findings) }
        for (index, mark) in findings.marks.enumerated() {
            for other in findings.marks[(index + 1)...] where mark.frame.covers(other.frame) {
                findings.problems.append("\(mark.name) and \(other.name) overlap")
            }
        }
        return findings.problems
    }

    /// A label or an image with its position in the widget.
    private struct Mark {
        let name: String
        let frame: Rectangle
    }

    /// The problems, and the labels and images, that were found so far.
    private struct Findings {
        var problems: [String]
        var marks: [Mark] = []
    }

    private func sizeProblems(_ layout: Layout) -> [String] {
        let size = layout.size
        var problems: [String] = []
        if size.width != area.width { problems.append("is \(size.width) wide instead of \(area.width)") }
        switch area.mode {
        case .compact(let height), .fixed(let height):
            if size.height != height { problems.append("is \(size.height) high instead of \(height)") }
        case .expanded, .classic:
            let most = max(area.maximumHeight, area.top + area.bottom)
            if size.height > most + Room.tolerance { problems.append("is \(size.height) high, beyond \(most)") }
        }
        return problems
    }

    private func rowProblems(_ layout: Layout) -> [String] {
        let rows = layout.views.filter { $0.kind == .row }
        let most = max(
            definition.rows.expanded,
            definition.rows.collapsed,
            definition.kind == .forecast ? ForecastLayout.maximumDays : 0
        )
        let isLimited = display.family != .panel && display.family != .systemExtraLarge && definition.show != .all
        var problems = isLimited && rows.count > max(most, 0) ? ["has \(rows.count) rows, more than \(most)"] : []
        for (upper, lower) in zip(rows, rows.dropFirst())
        where upper.frame.x == lower.frame.x && upper.frame.width == lower.frame.width
            && abs(upper.frame.y + upper.frame.height - lower.frame.y) > Room.tolerance
        {
            problems.append("the row at \(lower.frame.y) does not follow the one at \(upper.frame.y)")
        }
        return problems
    }

    /// Checks a view and its subviews, and adds their problems to `findings`.
    ///
    /// `room` is the frame of the parent view, in the coordinates of the widget.
    private func inspect(_ view: LayoutView, in room: Rectangle, _ findings: inout Findings) {
        let frame = view.frame
        let name = Self.name(of: view)
        if !frame.isInside(Rectangle(x: 0, y: 0, width: room.width, height: room.height)) {
            findings.problems.append("\(name) at \(frame) sticks out of its parent of \(room.width) by \(room.height)")
        }
        for edge in [frame.x, frame.y, frame.x + frame.width, frame.y + frame.height]
        where abs(edge - area.grid.nearest(edge)) > Room.tolerance && edge != room.height {
            findings.problems.append("\(name) has an edge at \(edge), between pixels")
        }
        let place = Rectangle(x: room.x + frame.x, y: room.y + frame.y, width: frame.width, height: frame.height)
        if let text = view.text { findings.problems += textProblems(text, frame).map { "\(name): \($0)" } }
        if view.kind == .label || view.kind == .image { findings.marks.append(Mark(name: name, frame: place)) }
        if display.family == .accessoryCircular, let text = view.text {
            findings.problems += circleProblems(text, at: place).map { "\(name): \($0)" }
        }
        for child in view.views ?? [] { inspect(child, in: place, &findings) }
    }

    /// Returns a problem for each line whose letters are partly outside a round display.
    ///
    /// `place` is the frame of the text's label, in the coordinates of the widget. The check assumes that letters reach
    /// from the baseline up to 0.8 times the font's size; no letter is taller.
    private func circleProblems(_ text: LayoutText, at place: Rectangle) -> [String] {
        let circle = Capsule(size: Size(width: area.width, height: area.maximumHeight))
        return text.lines.compactMap { line in
            let letters = Rectangle(
                x: place.x + line.x,
                y: place.y + line.baseline - 0.8 * text.font.size,
                width: line.width,
                height: 0.8 * text.font.size
            )
            return circle.contains(letters, tolerance: 1) ? nil : "the line '\(line.text)' sticks out of the circle"
        }
    }

    /// The minimum distance between baselines, as a multiple of the font size; that of Apple's table is 1.16.
    private static let leastLeading = 1.1

    private func textProblems(_ text: LayoutText, _ frame: Rectangle) -> [String] {
        var problems: [String] = []
        let font = text.font
        let isPanel = display.family == .panel
        let category = isPanel ? .large : display.family.textSize(display.contentSizeCategory)
        let metrics = DynamicType.metrics(of: font.style, in: category)
        let size = font.scale == 1 ? metrics.size : (metrics.size * font.scale).rounded()
        if font.size != size { problems.append("its font is \(font.size) instead of \(size)") }
        let type = PanelType(display)
        if isPanel, !type.steps.contains(where: { type.font($0).size == font.size }) {
            problems.append("its font of \(font.size) is no step of the panel's ladder")
        }
        let leading = Self.leastLeading * size
        if font.leading < leading - Room.tolerance {
            problems.append("its lines are \(font.leading) points apart, less than \(leading)")
        }
        if text.lines.isEmpty { problems.append("has no line") }
        if Double(text.lines.count) * font.leading > frame.height + Room.tolerance {
            problems.append("\(text.lines.count) lines are higher than \(frame.height)")
        }
        for line in text.lines {
            if line.x < 0 || line.x + line.width > frame.width + Room.tolerance {
                problems.append("the line '\(line.text.prefix(20))' sticks out of its label")
            }
            if line.baseline <= 0 || line.baseline > frame.height + Room.tolerance {
                problems.append("the line '\(line.text.prefix(20))' is outside its label")
            }
            if line.text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                problems.append("a line has a control character")
            }
        }
        return problems
    }

    private static func name(of view: LayoutView) -> String {
        let text = view.text?.lines.first?.text ?? view.image?.symbol
        return text.map { "\(view.kind.rawValue) '\($0.prefix(20))'" } ?? view.kind.rawValue
    }
}

extension Rectangle {
    fileprivate func isInside(_ other: Rectangle) -> Bool {
        let tolerance = Room.tolerance
        return width >= 0 && height >= 0 && x >= other.x - tolerance && y >= other.y - tolerance
            && x + width <= other.x + other.width + tolerance && y + height <= other.y + other.height + tolerance
    }

    fileprivate func covers(_ other: Rectangle) -> Bool {
        let tolerance = Room.tolerance
        return x + tolerance < other.x + other.width && other.x + tolerance < x + width
            && y + tolerance < other.y + other.height && other.y + tolerance < y + height
    }
}
