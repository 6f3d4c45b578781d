// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A view that arranges its children side by side, from the leading to the trailing edge.
///
/// Children that are not flexible are as wide as their content, and get their width first, in the order of priority.
/// Before such a child gets its width, the stack reserves the minimum width of each flexible child with the same or a
/// higher priority. Flexible children share the remaining width.
struct HorizontalStack: View {
    enum Distribution: Sendable {
        /// Flexible views share the remaining width.
        case fill
        /// All views have the same width.
        case equal
        /// The stack is as wide as the available space, with equal spaces between the views.
        case spaced
    }

    enum Alignment: Sendable {
        case top
        case center
        case bottom
        /// The first lines of text have a common baseline.
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
        var solved: [SolvedView?]
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
        var shown = 0
        var natural = 0.0
        var ascent = 0.0
        for case let view? in solved {
            shown += 1
            natural += view.size.width
            if alignment == .firstBaseline { ascent = max(ascent, view.firstBaseline ?? 0) }
        }
        guard shown > 0 else { return nil }
        natural += spacing * Double(shown - 1)
        var gap = spacing
        if distribution == .spaced, shown > 1 { gap += max(room.width - natural, 0) / Double(shown - 1) }
        func top(_ view: SolvedView) -> Double {
            alignment == .firstBaseline ? ascent - (view.firstBaseline ?? ascent) : 0
        }
        var height = 0.0
        for case let view? in solved { height = max(height, top(view) + view.size.height) }
        guard height <= room.height + Room.tolerance else {
            // Views that are aligned by baseline can be too high together. They are then aligned at the top.
            var stack = self
            stack.alignment = .top
            return alignment == .firstBaseline ? stack.solve(in: room, environment) : nil
        }
        let width = distribution == .fill ? natural : room.width
        var result = SolvedView(size: Size(width: width, height: height), views: [])
        var x = 0.0
        for index in solved.indices {
            // The view is taken out of the array, so that its subviews are not copied.
            guard let view = solved[index].take() else { continue }
            let width = view.size.width
            let y: Double =
                switch alignment {
                case .top, .firstBaseline: top(view)
                case .center: grid.down((height - view.size.height) / 2)
                case .bottom: height - view.size.height
                }
            result.append(view, x: distribution == .equal ? lefts[index] : grid.down(x), y: y)
            x += width + gap
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
