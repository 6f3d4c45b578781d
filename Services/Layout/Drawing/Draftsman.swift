// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Draws one variant after the other, with the means of one thread.
final class Draftsman {
    private let measurer: any TextMeasuring
    private let formats = LocaleFormats()

    init(measurer: any TextMeasuring) { self.measurer = measurer }

    func draw(_ orders: [DrawingOrder]) -> [Drawing] { orders.map(draw) }

    func finish(_ order: DrawingOrder) -> FinishedDrawing {
        let drawing = draw(order)
        let look = Look(digest: drawing.digest, height: drawing.layout.size.height, summary: drawing.summary)
        return FinishedDrawing(key: order.key, look: look, drawing: order.needsLayout ? drawing : nil)
    }

    func draw(_ order: DrawingOrder) -> Drawing {
        let environment = environment(order)
        let view = order.moment.definition.kind.widgetLayout.drawing(of: order.shown, in: environment)
        return Drawing(
            Canvas.draw(view, in: environment),
            hasContent: order.moment.hasContent(showing: order.shown),
            summary: Summary(order.moment.definition.kind.widgetLayout.summary(of: order.shown, in: environment)).text
        )
    }

    private func environment(_ order: DrawingOrder) -> LayoutEnvironment {
        var moment = order.moment
        moment.interaction = moment.interaction.on(order.display)
        return LayoutEnvironment(display: order.display, moment: moment, measurer: measurer, formats: formats)
    }
}
