// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A part of a widget before its size and its position are known.
///
/// ``solve(in:_:)`` determines the size and the contents for the available space. All views are solved as if text ran
/// from left to right; ``Canvas`` mirrors the result for other scripts.
protocol View {
    /// A Boolean value that indicates whether the view takes the remaining width of its stack.
    var isFlexible: Bool { get }

    /// The priority of the view in its stack; if not all views fit, those with a low priority are removed first.
    var priority: Int { get }

    /// Returns the minimum width in points that other views in the same horizontal stack must leave to this view.
    ///
    /// The width is reserved only if this view is flexible. It is reserved from the views that are not flexible and
    /// have the same or a lower priority.
    func leastWidth(in environment: LayoutEnvironment) -> Double

    /// Returns the height in points that this view gets before views with a lower priority in the same stack get any.
    ///
    /// `solved` is the result of ``solve(in:_:)`` for the whole height of the stack.
    func leastHeight(of solved: SolvedView, in environment: LayoutEnvironment) -> Double

    /// Returns the view with its size and contents for the available space; nil if nothing can be shown completely.
    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView?
}

extension View {
    var isFlexible: Bool { false }
    var priority: Int { 0 }

    func leastWidth(in environment: LayoutEnvironment) -> Double { 0 }

    func leastHeight(of solved: SolvedView, in environment: LayoutEnvironment) -> Double { solved.size.height }
}

extension View {
    /// Returns the view with another priority in its stack.
    func withPriority(_ priority: Int) -> some View { Prioritized(content: self, priority: priority) }
}

private struct Prioritized: View {
    let content: any View
    let priority: Int

    var isFlexible: Bool { content.isFlexible }

    func leastWidth(in environment: LayoutEnvironment) -> Double { content.leastWidth(in: environment) }

    func leastHeight(of solved: SolvedView, in environment: LayoutEnvironment) -> Double {
        content.leastHeight(of: solved, in: environment)
    }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? { content.solve(in: room, environment) }
}

/// The space that is available to a view, in points.
struct Room: Hashable, Sendable {
    var width: Double
    var height: Double

    /// The tolerance in points for comparing lengths, because sums of thirds of a point have rounding errors.
    static let tolerance = 1e-6
}

/// The size of a view and its contents, which are positioned relative to the view's top left corner.
struct SolvedView: Hashable, Sendable {
    var size: Size
    var views: [LayoutView]
    /// The ids of the views that are table rows, in order; row changes are computed from them.
    var rowIDs: [String] = []
    /// The degree to which the texts are shown; for several texts, that of the least complete one.
    var completeness = Completeness.whole

    /// The degree to which texts are shown, from the best to the worst.
    enum Completeness: Comparable, Sendable {
        /// All texts are complete and have their regular font sizes.
        case whole
        /// The main text is complete, but the names below it are smaller than usual or truncated.
        case shortened
        /// A text is truncated.
        case cut
    }

    /// The distance from the top to the baseline of the first line of text, in points; nil if there is no text.
    var firstBaseline: Double? { views.lazy.compactMap { Self.firstBaseline(of: $0) }.first }

    private static func firstBaseline(of view: LayoutView) -> Double? {
        let own = view.text?.lines.first?.baseline
        let baseline = own ?? (view.views ?? []).lazy.compactMap { firstBaseline(of: $0) }.first
        return baseline.map { $0 + view.frame.y }
    }

    /// Adds the contents of another view at an offset.
    mutating func append(_ other: consuming SolvedView, x: Double, y: Double) {
        // Views are large, so they are moved in place. If this view has none, and has reserved no space, it takes the
        // other's array without a copy.
        let start = views.count
        if views.capacity == 0 {
            views = other.views
            other.views = []
        } else {
            views += other.views
        }
        if rowIDs.isEmpty { rowIDs = other.rowIDs } else { rowIDs += other.rowIDs }
        completeness = max(completeness, other.completeness)
        move(from: start, x: x, y: y)
    }

    /// Moves the views from index `start` to the last one by `x` and `y` points.
    mutating func move(from start: Int = 0, x: Double, y: Double) {
        guard x != 0 || y != 0 else { return }
        for index in start..<views.count {
            views[index].frame.x += x
            views[index].frame.y += y
        }
    }
}
