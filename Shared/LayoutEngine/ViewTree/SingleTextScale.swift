// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The choice of the text scale for a widget that shows a single text, such as a quote with its author and source.
///
/// The result is the largest scale at which all labels of the widget are shown completely. If there is no such scale,
/// the last label is omitted and the scales up to the ordinary one are tried again. This is repeated until only the
/// text is left. A word of more than 16 letters is broken before the text becomes smaller than the ordinary scale.
struct SingleTextScale {
    /// The factors below 1 that are tried, in descending order.
    private static let smaller = [0.9, 0.8, 0.75, 0.7, 0.65]
    /// The factors that are tried after ``smaller`` at accessibility text sizes.
    private static let smallestOfLargeType = [0.6, 0.55, 0.5, 0.45]
    /// The smallest factor that is tried with all labels, if the widget has labels besides the text.
    ///
    /// If some labels do not fit even at this factor, the last ones are omitted, so that the text can be larger.
    private static let smallestForAll = 0.75
    /// The largest factor at which words of more than 16 letters may be broken.
    ///
    /// At larger factors, such a word would be broken into many parts.
    private static let largestForBrokenWords = 1.6

    let environment: LayoutEnvironment
    /// The ordinary scale, by which the factors are multiplied.
    var ordinary = 1.0
    /// The factors above 1 that are tried, in descending order.
    var larger: [Double] = []
    /// The layout at the ordinary scale, if the caller has already computed it; otherwise nil.
    ///
    /// This layout is accepted even if it breaks words.
    var plain: Canvas.Sketch?
    /// The main text of the widget; nil if every factor must be tried to find out whether the text is cut.
    let text: MainText?

    private typealias Drawn = (sketch: Canvas.Sketch, findings: ScaleFindings)

    /// Returns the layout of a view at the best scale; nil if every scale cuts the text or breaks an ordinary word.
    func sketch(_ view: (LayoutEnvironment) -> any View) -> Canvas.Sketch? {
        var drawn: [Double: Drawn] = [:]
        if let plain { drawn[1] = (plain, ScaleFindings()) }
        func draw(_ factor: Double) -> Drawn {
            if let known = drawn[factor] { return known }
            let result = environment.draw(view, scaledBy: ordinary * factor, columns: 1)
            drawn[factor] = result
            return result
        }
        var cut: [Double: Bool] = [:]
        func isCertainlyCut(_ factor: Double) -> Bool {
            guard let text else { return false }
            if let known = cut[factor] { return known }
            let result = text.isCertainlyCut(at: ordinary * factor)
            cut[factor] = result
            return result
        }
        let undrawn = smaller.reversed() + (plain == nil ? [1] : []) + larger
        guard undrawn.contains(where: { !isCertainlyCut($0) }) else { return plain }
        let all = draw(smaller.last ?? 1).sketch.layout.amount
        for labels in stride(from: all.labels, to: 0, by: -1) {
            let isAll = labels == all.labels
            var amount = all
            amount.labels = labels
            for attempt in attempts(isAll: isAll, hasNames: all.labels > 1) {
                if drawn[attempt.factor] == nil, isCertainlyCut(attempt.factor) { continue }
                let (sketch, findings) = draw(attempt.factor)
                let layout = sketch.layout
                guard sketch.completeness <= (attempt.factor > 1 ? .whole : .shortened), layout.amount.covers(amount),
                    findings.broken == (attempt.breaksLongWords ? findings.brokenLongWords : 0),
                    attempt.factor >= 1 || layout.smallestType >= smallestSize
                else { continue }
                return sketch
            }
        }
        return nil
    }

    private var smaller: [Double] {
        Self.smaller + (environment.isAccessibilitySize ? Self.smallestOfLargeType : [])
    }

    /// The minimum font size of a layout with a factor below 1, in points.
    ///
    /// This is the minimum for the names below a quote, too.
    private var smallestSize: Double { QuoteLayout.smallestName(in: environment) }

    /// A factor that is tried, and whether long words may be broken at it.
    private struct Attempt {
        let factor: Double
        let breaksLongWords: Bool
    }

    /// Returns the factors in the order in which they are tried.
    ///
    /// `isAll` is true if all labels of the widget must be shown, and false if the last ones are omitted. `hasNames` is
    /// true if the widget has labels besides the text, such as the names of an author and a source.
    private func attempts(isAll: Bool, hasNames: Bool) -> [Attempt] {
        let large = (isAll ? larger : []) + [1]
        let small = smaller.filter { !isAll || !hasNames || $0 >= Self.smallestForAll }
        return large.map { Attempt(factor: $0, breaksLongWords: false) }
            + large.filter { $0 <= Self.largestForBrokenWords }.map { Attempt(factor: $0, breaksLongWords: true) }
            + small.map { Attempt(factor: $0, breaksLongWords: false) }
            + small.map { Attempt(factor: $0, breaksLongWords: true) }
    }
}
