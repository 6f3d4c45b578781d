// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A renderer that creates the layouts of widgets.
///
/// A renderer must be used by one thread only.
public final class LayoutRenderer {
    private let measurer: any TextMeasuring
    private let formats = LocaleFormats()
    /// The latest pairs; a pair has a layout for compact mode and one for expanded mode.
    ///
    /// A few pairs are enough, because the modes of a device are requested one after the other. Comparing so few keys is
    /// faster than a dictionary.
    private var pairs: [(key: PairKey, pair: Pair)] = []
    /// The index in `pairs` of the next pair to replace.
    private var oldestPair = 0
    private static let maximumPairs = 8

    /// The layouts for compact and expanded mode, and the summary that both have.
    private final class Pair {
        let compact: Canvas.Sketch
        /// The layout for expanded mode; nil if the widget has no display in this mode.
        let expanded: Canvas.Sketch?
        let summary: String

        init(compact: Canvas.Sketch, expanded: Canvas.Sketch?, summary: String) {
            self.compact = compact
            self.expanded = expanded
            self.summary = summary
        }
    }

    /// The key of a stored pair: the inputs that the layouts for both modes have in common.
    private struct PairKey: Equatable {
        // The content differs in most keys, so it is compared first.
        let shown: ShownContent.Identity
        let moment: WidgetMoment
        let display: Display
    }

    public init(measurer: any TextMeasuring) { self.measurer = measurer }

    public func finish(_ order: DrawingOrder) -> FinishedDrawing {
        let drawing = draw(order)
        let look = Look(digest: drawing.digest, height: drawing.layout.size.height, summary: drawing.summary)
        return FinishedDrawing(key: order.key, look: look, drawing: order.needsLayout ? drawing : nil)
    }

    public func draw(_ order: DrawingOrder) -> Drawing {
        let hasContent = order.moment.hasContent(showing: order.shown)
        if order.display.family.hasModes {
            let pair = bothModes(order)
            let isExpanded = order.display.mode == .expanded && pair.expanded != nil
            return Drawing(
                isExpanded ? pair.expanded ?? pair.compact : pair.compact,
                hasContent: hasContent,
                summary: pair.summary,
                otherMode: isExpanded ? pair.compact : pair.expanded
            )
        }
        let environment = environment(order, order.display)
        return Drawing(
            sketch(order, environment),
            hasContent: hasContent,
            summary: summary(order, environment),
            panel: order.display.panel
        )
    }

    /// Returns the summary of a widget, which does not depend on the mode of its display.
    private func summary(_ order: DrawingOrder, _ environment: LayoutEnvironment) -> String {
        Summary(order.moment.definition.kind.widgetLayout.summary(of: order.shown, in: environment)).text
    }

    private func sketch(_ order: DrawingOrder, _ environment: LayoutEnvironment) -> Canvas.Sketch {
        let layout = order.moment.definition.kind.widgetLayout
        func mainText() -> MainText? { order.shown.content.flatMap { layout.mainText(of: $0, in: environment) } }
        if order.display.family == .panel {
            let hasContent = order.moment.hasContent(showing: order.shown)
            return PanelLayout.sketch(of: order.shown, hasContent: hasContent, in: environment)
        }
        if order.display.family.isFixed, !order.display.family.isAccessory {
            return FixedScale.sketch(in: environment, mainText: mainText) { layout.drawing(of: order.shown, in: $0) }
        }
        return drawing(order, environment)
    }

    /// Returns the sketches for compact and expanded mode.
    ///
    /// Expanded mode has an advantage if it shows more rows, symbols or letters than compact mode. For kinds that show
    /// a single text (``WidgetKind/showsOneText``), a larger font is an advantage too. If expanded mode has no
    /// advantage, the property `largestMode` of both layouts is set to `compact`. If the widget has no display in expanded
    /// mode, there is only the compact layout.
    private func bothModes(_ order: DrawingOrder) -> Pair {
        var common = order.display
        common.name = order.display.device
        common.mode = nil
        if order.display.mode == .expanded { common.largestMode = nil }
        let key = PairKey(shown: order.shown.identity, moment: order.moment, display: common)
        if let known = pairs.first(where: { $0.key == key }) { return known.pair }
        var display = order.display
        display.mode = .compact
        let environment = environment(order, display)
        var compact = drawing(order, environment)
        if order.display.largestMode == .compact, order.display.mode != .expanded {
            compact.layout.largestMode = .compact
            let pair = Pair(compact: compact, expanded: nil, summary: summary(order, environment))
            remember(pair, for: key)
            return pair
        }
        display.mode = .expanded
        var expanded = drawing(order, self.environment(order, display))
        // Comparing the numbers of rows is enough for most lists.
        if expanded.rowIDs.count <= compact.rowIDs.count, !expanded.layout.showsMore(than: compact.layout),
            !order.moment.definition.kind.showsOneText || !expanded.layout.hasLargerType(than: compact.layout)
        {
            compact.layout.largestMode = .compact
            expanded.layout.largestMode = .compact
        }
        let pair = Pair(compact: compact, expanded: expanded, summary: summary(order, environment))
        remember(pair, for: key)
        return pair
    }

    private func remember(_ pair: Pair, for key: PairKey) {
        if pairs.count < Self.maximumPairs {
            pairs.append((key, pair))
        } else {
            pairs[oldestPair] = (key, pair)
            oldestPair = (oldestPair + 1) % Self.maximumPairs
        }
    }

    /// Returns the sketch of a widget on a Today display or an accessory display.
    ///
    /// Some kinds show a single text (``WidgetKind/showsOneText``). On a Today display, their text has its ordinary
    /// size if everything fits: no text is cut and no label, such as the author's name, is missing. If something does
    /// not fit, ``SingleTextScale`` chooses the size.
    private func drawing(_ order: DrawingOrder, _ environment: LayoutEnvironment) -> Canvas.Sketch {
        let layout = order.moment.definition.kind.widgetLayout
        guard order.moment.definition.kind.showsOneText, !order.display.family.isAccessory,
            let content = order.shown.content
        else { return Canvas.draw(layout.drawing(of: order.shown, in: environment), in: environment) }
        func view(_ environment: LayoutEnvironment) -> any View { layout.drawing(of: order.shown, in: environment) }
        let (plain, findings) = environment.draw(view, scaledBy: 1, columns: 1)
        let isComplete =
            plain.completeness == .whole && findings.broken == findings.brokenLongWords
            && plain.layout.amount.labels >= layout.labelCount(of: content, in: environment)
        guard !isComplete, plain.rowIDs.isEmpty else { return plain }
        let text = layout.mainText(of: content, in: environment)
        return SingleTextScale(environment: environment, text: text).sketch(view)
    }

    private func environment(_ order: DrawingOrder, _ display: Display) -> LayoutEnvironment {
        var moment = order.moment
        // Interaction states are stored by device. The device is read from the order's display, because the name of
        // `display` may not match its mode.
        moment.interaction = moment.interaction.on(order.display)
        return LayoutEnvironment(display: display, moment: moment, measurer: measurer, formats: formats)
    }
}

extension Layout {
    /// Returns whether the layout shows more rows, symbols or letters than another layout of the same content.
    func showsMore(than other: Layout) -> Bool {
        let (own, others) = (amount, other.amount)
        return own.rows > others.rows || own.symbols > others.symbols || characters > other.characters
    }

    /// The numbers of rows, symbols and labels that the layout shows.
    var amount: Amount { Amount(of: views) }

    /// The numbers of rows, symbols and labels that a layout shows.
    struct Amount: Hashable {
        var rows = 0
        var symbols = 0
        var labels = 0

        /// Returns whether there are at least as many rows, symbols and labels as in another layout.
        func covers(_ other: Amount) -> Bool {
            rows >= other.rows && symbols >= other.symbols && labels >= other.labels
        }

        init(of views: [LayoutView]) {
            add(views)
        }

        private mutating func add(_ views: [LayoutView]) {
            // An iterator and a subscript of an array copy each view.
            views.withUnsafeBufferPointer { views in
                for index in views.indices { add(views[index]) }
            }
        }

        private mutating func add(_ view: LayoutView) {
            switch view.kind {
            case .row: rows += 1
            case .image: symbols += 1
            case .label, .button, .divider, .bar, .badge, .rule, .dots: break
            }
            if view.text != nil { labels += 1 }
            if let children = view.views { add(children) }
        }
    }

    /// The number of scalars in all lines, except for spaces and the ellipses of cut lines.
    var characters: Int { Self.characters(of: views) }

    private static func characters(of views: [LayoutView]) -> Int {
        views.withUnsafeBufferPointer { views in
            views.indices.reduce(0) { sum, index in
                let lines = views[index].text?.lines.reduce(0) { $0 + characters(of: $1.text) } ?? 0
                return sum + lines + (views[index].views.map { characters(of: $0) } ?? 0)
            }
        }
    }

    private static func characters(of line: String) -> Int {
        // In UTF-8, each scalar has exactly one byte that is not a continuation byte (RFC 3629).
        let scalars = line.withBytes { $0.count { $0 & 0xC0 != 0x80 && $0 != UInt8(ascii: " ") } }
        return Label.endsInEllipsis(line) ? scalars - 1 : scalars
    }
}
