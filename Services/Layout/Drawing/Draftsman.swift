// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// One variant that is to be drawn: all that its layout depends on.
struct DrawingOrder: Sendable {
    let shown: ShownContent
    let moment: WidgetMoment
    let display: Display
}

/// Draws orders, each on its own; how many at a time is its affair, and none can tell.
protocol Drafting {
    /// The drawings, in the order of the orders.
    func draw(_ orders: [DrawingOrder]) -> [Drawing]
}

/// Draws one variant after the other, with the means of one thread.
final class Draftsman: Drafting {
    private let measurer: any TextMeasuring
    private let formats = LocaleFormats()

    init(measurer: any TextMeasuring) { self.measurer = measurer }

    func draw(_ orders: [DrawingOrder]) -> [Drawing] { orders.map(draw) }

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
