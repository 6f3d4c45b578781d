// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Views one beside the other, from the leading to the trailing edge.
///
/// Views that are as wide as their content get their width first, by priority, but leave the flexible ones what these
/// need; the flexible ones share the rest.
struct HorizontalStack: View {
    enum Distribution: Sendable {
        /// Flexible views share what the others leave.
        case fill
        /// All have the same width.
        case equal
        /// As wide as the room, with equal spaces between the views.
        case spaced
    }

    enum Alignment: Sendable {
        case top
        case center
        case bottom
        /// The first lines of text stand on one line.
        case firstBaseline
    }

    var spacing: Double
    var distribution: Distribution
    var alignment: Alignment
    var priority: Int
    private let children: [any View]

    init(
        spacing: Double = 0,
        distribution: Distribution = .fill,
        alignment: Alignment = .center,
        priority: Int = 0,
        @ViewBuilder _ children: () -> [any View]
    ) {
        self.spacing = spacing
        self.distribution = distribution
        self.alignment = alignment
        self.priority = priority
        self.children = children()
    }

    var isFlexible: Bool { distribution != .fill || children.contains { $0.isFlexible } }

    func leastWidth(in environment: LayoutEnvironment) -> Double {
        let widths = children.map { $0.leastWidth(in: environment) }.filter { $0 > 0 }
        return widths.reduce(0, +) + spacing * Double(max(widths.count - 1, 0))
    }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        let grid = environment.area.grid
        let solved: [SolvedView?]
        var lefts: [Double] = []
        if distribution == .equal {
            let slots = Slots.equal(children.count, in: room.width, spacing: spacing, grid: grid)
            lefts = slots.map(\.top)
            solved = zip(children, slots).map { child, slot in
                child.solve(in: Room(width: slot.length, height: room.height), environment)
            }
        } else {
            solved = filled(room, environment)
        }
        let shown = solved.compactMap(\.self)
        guard !shown.isEmpty else { return nil }
        let natural = shown.reduce(0) { $0 + $1.size.width } + spacing * Double(shown.count - 1)
        var gap = spacing
        if distribution == .spaced, shown.count > 1 { gap += max(room.width - natural, 0) / Double(shown.count - 1) }
        let ascent = shown.compactMap(\.firstBaseline).max() ?? 0
        var result = SolvedView(
            size: Size(width: distribution == .fill ? natural : room.width, height: 0),
            views: []
        )
        let tops = shown.map { view in
            alignment == .firstBaseline ? ascent - (view.firstBaseline ?? ascent) : 0
        }
        let height = zip(tops, shown).reduce(0) { max($0, $1.0 + $1.1.size.height) }
        guard height <= room.height + Room.tolerance else {
            // Standing on one line, they are too high together.
            var stack = self
            stack.alignment = .top
            return alignment == .firstBaseline ? stack.solve(in: room, environment) : nil
        }
        result.size.height = height
        var x = 0.0
        var number = 0
        for (index, view) in solved.enumerated() {
            guard let view else { continue }
            let y: Double =
                switch alignment {
                case .top, .firstBaseline: tops[number]
                case .center: grid.down((height - view.size.height) / 2)
                case .bottom: height - view.size.height
                }
            result.append(view, x: distribution == .equal ? lefts[index] : grid.down(x), y: y)
            x += view.size.width + gap
            number += 1
        }
        return result
    }

    private func filled(_ room: Room, _ environment: LayoutEnvironment) -> [SolvedView?] {
        let grid = environment.area.grid
        var result: [SolvedView?] = Array(repeating: nil, count: children.count)
        let flexible = children.indices.filter { children[$0].isFlexible }
        let order = children.indices.filter { !children[$0].isFlexible }.sorted {
            (children[$1].priority, $0) < (children[$0].priority, $1)
        }
        var rest = room.width
        for index in order {
            let reserved = flexible.filter { children[$0].priority >= children[index].priority }
                .reduce(0) { $0 + children[$1].leastWidth(in: environment) + spacing }
            let offered = Room(width: rest - reserved, height: room.height)
            guard offered.width > 0, let solved = children[index].solve(in: offered, environment) else { continue }
            result[index] = solved
            rest -= solved.size.width + spacing
        }
        for (position, index) in flexible.enumerated() {
            let count = Double(flexible.count - position)
            let share = grid.down((rest - spacing * (count - 1)) / count)
            guard share > 0 else { continue }
            let offered = Room(width: share, height: room.height)
            guard let solved = children[index].solve(in: offered, environment) else { continue }
            result[index] = solved
            rest -= solved.size.width + spacing
        }
        return result
    }
}
