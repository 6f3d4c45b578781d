// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A quote in the largest step of type that holds it with its author; the source is beside or below the author.
struct PanelQuote: PanelView {
    private static let top = 8.0
    private static let leastGap = 4.0
    /// The space between the text and the author, in multiples of the text's size.
    private static let gap = 0.2
    private static let nameLines = 2

    let room: PanelRoom
    let quote: Quote

    private var type: PanelType { room.type }

    var body: PanelBody? {
        let steps = type.steps
        let hasAuthor = !DisplayText.isEmpty(quote.author ?? "")
        for showsAuthor in hasAuthor ? [true, false] : [false] {
            for step in steps {
                if let views = views(step, showsAuthor: showsAuthor), views.isWhole {
                    return PanelBody(views: views.views)
                }
            }
        }
        // The text is cut only in the smallest type and without its author.
        return steps.last.flatMap { views($0, showsAuthor: false) }.map { PanelBody(views: $0.views) }
    }

    private func views(_ step: PanelType.Step, showsAuthor: Bool) -> (views: [LayoutView], isWhole: Bool)? {
        let (x, width) = (room.frame.x, room.frame.width)
        let top = room.frame.y + type.length(Self.top)
        let height = room.bottom - top
        let names = showsAuthor ? self.names(beside: step) : []
        guard !showsAuthor || !names.isEmpty else { return nil }
        let lowest = names.map(\.height).min() ?? 0
        let gap = type.length(max(Self.leastGap, Self.gap * step.rawValue))
        let space = showsAuthor ? lowest + gap : 0
        let lines = Int((height - space) / type.leading(step))
        guard
            let text = room.label(DisplayText(quote.text), step, width: width, lines: lines)
                ?? room.label(PanelFacts.missing, step, width: width, lines: lines)
        else { return nil }
        var views = [text.view(x: x, y: top)]
        let y = top + text.height + gap
        // The source is shown if there is space for it.
        if let best = names.first(where: { y + $0.height <= room.bottom }) {
            views += best.labels.map { $0.label.view(x: x + $0.x, y: y + $0.y) }
        }
        return (views, text.isWhole && (step == type.smallest || !text.breaksAnyWord))
    }

    // MARK: Names

    private struct Names {
        var labels: [(label: PanelLabel, x: Double, y: Double)]
        var height: Double
    }

    /// Returns the step of the names below a text, which are never larger than the text.
    private func nameStep(beside step: PanelType.Step) -> PanelType.Step {
        switch step {
        case .largeNumber, .largestNumber: .large
        case .number: .heading
        case .extraLarge: .title
        case .large, .heading: .text
        case .title, .text, .small, .tiny: min(step, .small)
        }
    }

    /// Returns the forms of the names below a text of one step, from the most complete to the shortest.
    private func names(beside step: PanelType.Step) -> [Names] {
        let width = room.frame.width
        guard let nameStep = type.steps(from: nameStep(beside: step)).first,
            let author = room.label(
                DisplayText(quote.author ?? ""),
                nameStep,
                .bold,
                width: width,
                lines: Self.nameLines
            ),
            author.isWhole
        else { return [] }
        let plain = Names(labels: [(author, 0, 0)], height: author.height)
        guard let source = quote.source, !DisplayText.isEmpty(source) else { return [plain] }
        if author.lines == 1,
            let beside = room.label(DisplayText(", " + source), nameStep, width: width - author.width),
            !beside.isCut
        {
            return [Names(labels: [(author, 0, 0), (beside, author.width, 0)], height: author.height), plain]
        }
        if let below = room.label(DisplayText(source), nameStep, width: width), !below.isCut {
            let height = author.height + below.height
            return [Names(labels: [(author, 0, 0), (below, 0, author.height)], height: height), plain]
        }
        return [plain]
    }
}
