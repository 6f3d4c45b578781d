// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The choice of the text size for a widget that shows a single text, such as a quote with its author and source.
///
/// The result has the largest of the sizes of ``TypeLadder`` at which all labels of the widget are shown completely. If
/// there is no such size, the last label is omitted and the sizes up to the ordinary one are tried again. This is repeated
/// until only the text is left. A word of more than 16 letters is broken before the text becomes smaller than ordinary.
struct SingleTextScale {
    /// The smallest size that is tried with all labels, as a part of the ordinary size, if there are labels besides the text.
    ///
    /// If some labels do not fit even at this size, the last ones are omitted, so that the text can be larger.
    private static let smallestForAll = 0.75
    /// The largest size at which words of more than 16 letters may be broken, as a multiple of the ordinary size.
    ///
    /// At larger sizes, such a word would be broken into many parts.
    private static let largestForBrokenWords = 1.6
    /// The number of lines that a text in compact mode may lack and still count as nearly whole.
    private static let missingLines = 2
    /// The text size with the highest compact mode among those at which texts may have the smallest type.
    private static let highestWithSmallestType = ContentSizeCategory.accessibilityMedium

    let environment: LayoutEnvironment
    /// The ordinary size of the text, in points.
    let ordinary: Double
    /// The maximum size of the text, in points.
    let largest: Double
    /// The main text of the widget; nil if every size must be tried to find out whether the text is cut.
    let text: MainText?

    /// Creates the choice; `largest` is the ordinary size if it is nil.
    init(
        environment: LayoutEnvironment,
        largest: Double? = nil,
        text: MainText?
    ) {
        self.environment = environment
        ordinary = environment.font(.body).size
        self.largest = largest ?? self.ordinary
        self.text = text
    }

    private typealias Drawn = (sketch: Canvas.Sketch, findings: ScaleFindings)

    /// A size of the text, and the form of the names below it.
    private struct Attempt: Hashable {
        let size: Double
        let names: QuoteLayout.NameForm
    }

    private var smallest: Double { min(TypeLadder.smallestText(in: environment.contentSizeCategory), ordinary) }

    /// Returns the layout of a view in the best size.
    ///
    /// If every size cuts the text or breaks an ordinary word, the text has its ordinary size. In compact mode, it has the
    /// smallest size if this shows nearly all of it: at a larger text size, compact mode may be high enough for all of it.
    func sketch(_ view: (LayoutEnvironment) -> any View) -> Canvas.Sketch {
        var drawn: [Attempt: Drawn] = [:]
        func draw(_ size: Double, _ names: QuoteLayout.NameForm) -> Drawn {
            let attempt = Attempt(size: size, names: names)
            if let known = drawn[attempt] { return known }
            let result = environment.withNames(names).draw(view, scaledBy: scale(size), columns: 1)
            drawn[attempt] = result
            return result
        }
        var cut: [Double: Bool] = [:]
        func isCertainlyCut(_ size: Double) -> Bool {
            guard let text else { return false }
            if let known = cut[size] { return known }
            let result = text.isCertainlyCut(at: scale(size))
            cut[size] = result
            return result
        }
        let sizes = TypeLadder.descending(min(DynamicType.smallestSize, smallest)...largest)
        guard sizes.contains(where: { $0 >= smallest && !isCertainlyCut($0) }) else {
            return draw(sizeIfCut, .regular).sketch
        }
        let isCompact = environment.area.mode.isCompact
        let (forms, all, most) = names(draw)
        let smallestName = forms.last?.size(below: smallest) ?? smallest

        /// Returns the layout of an attempt; nil if it cuts the text, breaks a word or lacks a label of `amount`.
        func fitting(_ size: Double, _ names: QuoteLayout.NameForm, _ amount: Layout.Amount, breaksLongWords: Bool)
            -> Canvas.Sketch?
        {
            if isCertainlyCut(size) { return nil }
            let (sketch, findings) = draw(size, names)
            guard sketch.completeness <= (size > ordinary ? .whole : .shortened), sketch.layout.amount.covers(amount),
                findings.broken == (breaksLongWords ? findings.brokenLongWords : 0)
            else { return nil }
            return sketch
        }
        // The text with fewer labels is at least as large as with more, so that it is never smaller at a larger text size.
        var least = 0.0
        for labels in stride(from: min(all.labels, most), to: 0, by: -1) {
            let isAll = labels == all.labels && !isCompact
            var amount = all
            amount.labels = labels
            if labels == all.labels {
                for breaksLongWords in [false, true] {
                    for size in sizes
                    where size > ordinary && (!breaksLongWords || size <= Self.largestForBrokenWords * ordinary) {
                        if let sketch = fitting(size, .regular, amount, breaksLongWords: breaksLongWords) {
                            return sketch
                        }
                    }
                }
            }
            let smallestOfAll = isAll && all.labels > 1 ? max(Self.smallestForAll * ordinary, smallest) : smallest
            for breaksLongWords in [false, true] {
                // Text that is larger than with another form of names must not have smaller names. Otherwise, names would
                // be smaller at a larger text size. In compact mode, the text has priority, because the height grows, too.
                var best: (size: Double, name: Double, sketch: Canvas.Sketch)?
                var last: QuoteLayout.NameForm?
                // A widget with one label has no names.
                for form in labels == 1 ? [.regular] : forms {
                    defer { last = form }
                    for size in sizes where size <= ordinary && size > best?.size ?? 0 && size >= least {
                        let name = form.size(below: size)
                        guard isCompact || name >= best?.name ?? 0 else { break }
                        // A text that is too small for this text size counts if its names are larger than they could be here.
                        guard size >= smallest || !isCompact && labels > 1 && name > smallestName else { break }
                        if let last, form.isEqual(to: last, below: size) { continue }
                        let breaks = breaksLongWords || size == ordinary
                        guard let sketch = fitting(size, form, amount, breaksLongWords: breaks) else { continue }
                        best = (size, name, sketch)
                        break
                    }
                }
                if let best, best.size >= smallestOfAll { return best.sketch }
                least = max(least, best?.size ?? 0)
            }
        }
        return draw(sizeIfCut, .regular).sketch
    }

    /// Returns the forms of names that are tried, the amount that the smallest type shows, and the maximum number of labels.
    ///
    /// A name is truncated only if it is whole in no size; in compact mode, if it is whole in no size where compact mode is
    /// lowest. This does not depend on the text size: otherwise, a text above a whole name could be smaller than one above a
    /// truncated name at a smaller text size.
    private func names(_ draw: (Double, QuoteLayout.NameForm) -> Drawn)
        -> (forms: [QuoteLayout.NameForm], all: Layout.Amount, most: Int)
    {
        let isCompact = environment.area.mode.isCompact
        func labels(_ drawn: Drawn) -> Int {
            isCompact ? labelsOfCompactMode(drawn.sketch.layout) : drawn.sketch.layout.amount.labels
        }
        let forms = QuoteLayout.NameForm.whole(in: environment)
        let last = forms.last ?? .regular
        let drawn = draw(smallest, last)
        let all = drawn.sketch.layout.amount
        guard drawn.findings.hasNames else { return (forms, all, all.labels) }
        // A name that is whole in larger type is whole in the smallest type, too.
        let lowest = !isCompact && all.labels > 1 ? drawn : draw(DynamicType.smallestSize, last)
        let most = labels(lowest)
        if most > 1, lowest.findings.broken == lowest.findings.brokenLongWords {
            return (forms, all, isCompact ? most : all.labels)
        }
        let truncated = QuoteLayout.NameForm.truncated(in: environment)
        let one = draw(smallest, truncated).sketch.layout.amount
        return ([truncated], one, isCompact ? labels(draw(DynamicType.smallestSize, truncated)) : one.labels)
    }

    private func scale(_ size: Double) -> Double { size / environment.scaled(by: 1).font(.body).size }

    private var sizeIfCut: Double {
        guard environment.area.mode.isCompact, let text else { return ordinary }
        let higher = DisplayArea.length(environment.compactHeight(at: Self.highestWithSmallestType))
        let added = max(higher - environment.hostsCompactHeight, 0)
        let isNearlyWhole = text.fits(at: scale(smallest), addedHeight: added, addedLines: Self.missingLines)
        return isNearlyWhole ? smallest : ordinary
    }

    /// Returns the number of labels that compact mode shows at most.
    ///
    /// These are the labels that fit at the smallest text size, at which compact mode is lowest. Otherwise, a larger text size
    /// could show one more label, and smaller text. `layout` has the smallest type.
    private func labelsOfCompactMode(_ layout: Layout) -> Int {
        let lowest = min(environment.compactHeight(at: .extraSmall), environment.hostsCompactHeight)
        var rest = environment.area.roomHeight - (environment.hostsCompactHeight - lowest) + Room.tolerance
        if environment.moment.definition.kind == .quote { rest -= 2 * QuoteLayout.padding }
        let heights = layout.views.filter { $0.text != nil }.map(\.frame.height)
        return max(
            heights.prefix { height in
                rest -= height
                return rest >= 0
            }.count,
            1
        )
    }
}
