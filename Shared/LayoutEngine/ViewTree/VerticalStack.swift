// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A view that arranges its children one below the other.
///
/// If the height is too low for all children, texts lose lines first. If that is not enough, children with a low
/// priority are removed.
struct VerticalStack: View {
    enum Distribution: Sendable {
        /// The stack is as high as its views and the spaces between them.
        case packed
        /// The stack is as high as the available space, with equal spaces between the views.
        case spaced
        /// The stack is as high as the available space, which the views share equally.
        case equal
    }

    var spacing: Double
    var distribution: Distribution
    var alignment: Label.Alignment
    var priority: Int
    private let children: Children

    /// The views of a stack.
    ///
    /// Labels have a case of their own, because storing a label as `any View` allocates memory, and most rows of tables
    /// consist of labels.
    private enum Children {
        case views([any View])
        case labels([Label])

        var count: Int {
            switch self {
            case .views(let views): views.count
            case .labels(let labels): labels.count
            }
        }

        subscript(index: Int) -> any View {
            switch self {
            case .views(let views): views[index]
            case .labels(let labels): labels[index]
            }
        }

        var isFlexible: Bool {
            switch self {
            case .views(let views): views.contains { $0.isFlexible }
            case .labels(let labels): labels.contains { $0.isFlexible }
            }
        }

        /// Returns the minimum width of the widest view.
        func leastWidth(in environment: LayoutEnvironment) -> Double {
            switch self {
            case .views(let views): views.reduce(0) { max($0, $1.leastWidth(in: environment)) }
            case .labels(let labels): labels.reduce(0) { max($0, $1.leastWidth(in: environment)) }
            }
        }

        /// Returns the child at `index` with its size and contents for the available space; nil if it shows nothing.
        func solve(at index: Int, in room: Room, _ environment: LayoutEnvironment) -> SolvedChild? {
            switch self {
            case .views(let views): views[index].solve(in: room, environment).map { .view($0) }
            case .labels(let labels): labels[index].solveLabel(in: room, environment).map { .label($0) }
            }
        }
    }

    /// A child whose size and contents are known.
    ///
    /// Labels have a case of their own, because the views of a ``SolvedView`` are in an array, which allocates memory.
    private enum SolvedChild {
        case view(SolvedView)
        case label(SolvedLabel)

        var size: Size {
            switch self {
            case .view(let view): view.size
            case .label(let label): label.size
            }
        }

        var solvedView: SolvedView {
            switch self {
            case .view(let view): view
            case .label(let label): label.solvedView
            }
        }
    }

    init(
        spacing: Double = 0,
        distribution: Distribution = .packed,
        alignment: Label.Alignment = .leading,
        priority: Int = 0,
        @ViewBuilder _ children: () -> [any View]
    ) {
        self.spacing = spacing
        self.distribution = distribution
        self.alignment = alignment
        self.priority = priority
        self.children = .views(children())
    }

    /// Creates a packed stack of labels.
    ///
    /// It is faster than a view builder, which creates an array for each child.
    init(labels: [Label], priority: Int = 0) {
        spacing = 0
        distribution = .packed
        alignment = .leading
        self.priority = priority
        children = .labels(labels)
    }

    var isFlexible: Bool { children.isFlexible }

    func leastWidth(in environment: LayoutEnvironment) -> Double {
        children.leastWidth(in: environment)
    }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        let grid = environment.area.grid
        var solved: [SolvedChild?]
        var slots: [(top: Double, length: Double)] = []
        if distribution == .equal {
            slots = Slots.equal(children.count, in: room.height, spacing: spacing, grid: grid)
            solved = slots.indices.map { index in
                children.solve(at: index, in: Room(width: room.width, height: slots[index].length), environment)
            }
        } else {
            solved = (0..<children.count).map { children.solve(at: $0, in: room, environment) }
            if height(of: solved) > room.height + Room.tolerance {
                solved = squeezed(solved, into: room, environment)
            }
        }
        var shown = 0
        var widest = 0.0
        for case let view? in solved {
            shown += 1
            widest = max(widest, view.size.width)
        }
        guard shown > 0 else { return nil }
        var height = height(of: solved)
        var gap = spacing
        switch distribution {
        case .packed: break
        case .spaced:
            let free = room.height - height
            if shown > 1 { gap += max(free, 0) / Double(shown - 1) }
            height = max(room.height, height)
        case .equal: height = room.height
        }
        let width = isFlexible ? room.width : widest
        var result = SolvedView(size: Size(width: width, height: height), views: [])
        if shown > 1 { result.views.reserveCapacity(shown) }
        var y = 0.0
        for index in solved.indices {
            // The view is taken out of the array, so that its subviews are not copied.
            guard let view = solved[index].take() else { continue }
            let height = view.size.height
            let x: Double =
                switch alignment {
                case .leading: 0
                case .center: grid.down((width - view.size.width) / 2)
                case .trailing: width - view.size.width
                }
            let top = distribution == .equal ? slots[index].top : grid.down(y)
            switch view {
            case .view(let view): result.append(view, x: x, y: top)
            case .label(let label):
                result.views.append(label.view(x: x, y: top))
                result.completeness = max(result.completeness, label.completeness)
            }
            y += height + gap
        }
        return result
    }

    private func height(of solved: [SolvedChild?]) -> Double {
        var sum = 0.0
        var shown = 0
        for case let view? in solved {
            sum += view.size.height
            shown += 1
        }
        return sum + spacing * Double(max(shown - 1, 0))
    }

    /// Returns the solved children of a stack that is too low for all of them; nil for each child that is removed.
    ///
    /// `ideal` contains the children, each solved for the whole height of the stack. Each child gets its minimum height
    /// first, in the order of priority. The children then share the remaining height in the same order.
    private func squeezed(
        _ ideal: [SolvedChild?],
        into room: Room,
        _ environment: LayoutEnvironment
    ) -> [SolvedChild?] {
        let order = (0..<children.count).sorted {
            (children[$1].priority, $0) < (children[$0].priority, $1)
        }
        var rest = room.height
        var heights: [Int: Double] = [:]
        for index in order {
            guard let wanted = ideal[index] else { continue }
            let gap = heights.isEmpty ? 0 : spacing
            let least = children[index].leastHeight(of: wanted.solvedView, in: environment)
            let height: Double
            if least <= rest - gap + Room.tolerance {
                height = least
            } else {
                let remaining = Room(width: room.width, height: rest - gap)
                guard let smaller = children.solve(at: index, in: remaining, environment) else { continue }
                height = smaller.size.height
            }
            heights[index] = height
            rest -= height + gap
        }
        var result: [SolvedChild?] = Array(repeating: nil, count: children.count)
        for index in order {
            guard let height = heights[index], let wanted = ideal[index] else { continue }
            let most = height + max(rest, 0)
            if wanted.size.height <= most + Room.tolerance {
                result[index] = wanted
            } else {
                result[index] = children.solve(at: index, in: Room(width: room.width, height: most), environment)
            }
            rest -= (result[index]?.size.height ?? 0) - height
        }
        return result
    }
}
