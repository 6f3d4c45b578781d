// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The title of a panel or a cell: an inverse bar with a symbol, the name and a state; a name above a line in low cells.
struct PanelTitleBar {
    /// The text at the trailing edge.
    enum State {
        /// A fact about the content, such as "5 today"; it is omitted if there is too little space.
        case fact(String)
        /// The time since which no attempt has succeeded, in forms from the longest to the shortest.
        case stale([String])
    }

    /// The height below which an area has a name above a line, in pixels at about 125 pixels per inch.
    static let lowest = 128.0
    private static let height = 24.0
    private static let symbolSide = 16.0
    private static let margin = 8.0
    private static let gap = 6.0
    /// The space between the name and the state.
    private static let stateGap = 12.0
    private static let badgePadding = 5.0
    /// The minimum width of a name that is cut beside something, in multiples of its size.
    private static let narrowestName = 8.0

    let room: PanelRoom
    let name: DisplayText
    let symbol: String
    let state: State?

    private var type: PanelType { room.type }
    private var isBar: Bool { room.frame.height >= type.length(Self.lowest) }
    private var lineOfText: Double { type.leading(.small) + 2 * type.line }

    /// The height of the title, in pixels.
    var height: Double { isBar ? type.length(Self.height) : lineOfText + type.line }

    /// The views of the title; nil if the area has no room for the name or the symbol.
    var views: [LayoutView]? {
        guard room.frame.height >= height else { return nil }
        return isBar ? barViews : lineViews
    }

    private var barViews: [LayoutView]? {
        let (frame, side) = (room.frame, type.length(Self.symbolSide))
        var margin = type.length(Self.margin)
        guard frame.width >= side + 2 * margin else { return nil }
        var start = margin + side + type.length(Self.gap)
        var parts = parts(width: frame.width - start - margin)
        var views = [
            room.symbol(symbol, side: side, x: margin, y: ((height - side) / 2).rounded(.down), color: .inverse)
        ]
        // The symbol gives way to a name that is whole without it, or that would be cut to a few letters beside it.
        let wider = self.parts(width: frame.width - 2 * margin)
        if parts.name?.isWhole != true, wider.name?.isWhole == true || frame.width - start - margin < leastName {
            (parts, start, views) = (wider, margin, [])
        }
        let half = (margin / 2).rounded()
        if parts.name?.isWhole != true, case let widest = self.parts(width: frame.width - 2 * half),
            widest.name?.isWhole == true
        {
            (parts, start, views, margin) = (widest, half, [], half)
        }
        if let name = parts.name { views.append(centred(name, x: start)) }
        switch parts.state {
        case .plain(let label): views.append(centred(label, x: frame.width - margin - label.width))
        case .badge(let label): views.append(badge(label, right: frame.width - half))
        case nil: break
        }
        return [
            LayoutView(
                kind: .bar,
                frame: Rectangle(x: frame.x, y: frame.y, width: frame.width, height: height),
                views: views
            )
        ]
    }

    private var lineViews: [LayoutView]? {
        let frame = room.frame
        let parts = parts(width: frame.width)
        guard parts.name != nil || parts.state != nil else { return nil }
        var views: [LayoutView] = []
        func y(_ height: Double) -> Double { frame.y + ((lineOfText - height) / 2).rounded(.down) }
        if let name = parts.name { views.append(name.view(x: frame.x, y: y(name.height))) }
        switch parts.state {
        case .plain(let label): views.append(label.view(trailing: room.right, y: y(label.height)))
        case .badge(let label):
            // Nothing is inverse here, so the badge gets an outline.
            var inner = badge(label, right: frame.width - type.line)
            inner.frame.height = min(inner.frame.height, lineOfText - 2 * type.line)
            let outline = Rectangle(
                x: frame.x + inner.frame.x - type.line,
                y: y(inner.frame.height + 2 * type.line),
                width: inner.frame.width + 2 * type.line,
                height: inner.frame.height + 2 * type.line
            )
            (inner.frame.x, inner.frame.y) = (type.line, type.line)
            views.append(LayoutView(kind: .bar, frame: outline, views: [inner]))
        case nil: break
        }
        return views + [room.rule(y: frame.y + lineOfText)]
    }

    private func centred(_ label: PanelLabel, x: Double) -> LayoutView {
        label.view(x: x, y: ((height - label.height) / 2).rounded(.down))
    }

    /// Returns a badge whose right edge is at `right`, relative to the title.
    private func badge(_ label: PanelLabel, right: Double) -> LayoutView {
        let padding = type.length(Self.badgePadding)
        let width = label.width + 2 * padding
        return LayoutView(
            kind: .badge,
            frame: Rectangle(
                x: right - width,
                y: ((height - label.height) / 2).rounded(.down),
                width: width,
                height: label.height
            ),
            views: [label.view(x: padding, y: 0)]
        )
    }

    // MARK: Parts

    private enum StateLabel {
        case plain(PanelLabel)
        case badge(PanelLabel)
    }

    /// Returns the name and the state that fit beside each other in a width.
    ///
    /// A name is cut only if the shortest form of the state leaves it too little space, and a fact gives way to the name.
    private func parts(width: Double) -> (name: PanelLabel?, state: StateLabel?) {
        let step =
            type.steps(from: .small).first { room.width(of: name, $0, .bold) <= width } ?? type.smallest
        let natural = min(room.width(of: name, step, .bold), width)
        let options = stateOptions
        for (label, space) in options where natural + space <= width {
            return (nameLabel(step, width: width - space), label)
        }
        if case .stale = state, let (label, space) = options.last, space <= width {
            let rest = width - space
            return (rest >= leastName ? nameLabel(step, width: rest) : nil, label)
        }
        return (nameLabel(step, width: width), nil)
    }

    /// The width below which a name is not cut, in pixels.
    private var leastName: Double { Self.narrowestName * type.length(PanelType.Step.small.rawValue) }

    private func nameLabel(_ step: PanelType.Step, width: Double) -> PanelLabel? {
        room.label(name, step, .bold, width: width, color: isBar ? .inverse : .label)
    }

    /// The forms of the state with the space that each needs, the best one first.
    private var stateOptions: [(StateLabel, space: Double)] {
        let gap = type.length(Self.stateGap)
        switch state {
        case nil: return []
        case .fact(let text):
            let text = DisplayText(text)
            guard
                let label = room.label(
                    text,
                    .small,
                    .bold,
                    width: DisplayArea.maximumLength,
                    color: isBar ? .inverse : .label
                )
            else { return [] }
            return [(StateLabel.plain(label), space: label.width + gap)]
        case .stale(let forms):
            var options: [(StateLabel, space: Double)] = []
            for form in forms {
                for step in type.steps(from: .small) {
                    guard let label = room.label(DisplayText(form), step, .bold, width: DisplayArea.maximumLength)
                    else { continue }
                    let space = label.width + 2 * type.length(Self.badgePadding) + gap / 2
                    options.append((StateLabel.badge(label), space: space))
                }
            }
            return options
        }
    }
}
