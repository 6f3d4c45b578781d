// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A forecast: one large number with the condition beside it, and the other days as columns with dotted lines between them.
struct PanelForecast: PanelView {
    /// The maximum number of columns of days.
    private static let mostColumns = 5
    private static let fewestColumns = 2
    /// The parts of a low and wide area that the first day has beside the others, the best one first.
    private static let firstParts = [0.4, 0.5]
    private static let gap = 12.0

    let room: PanelRoom
    /// The known days from today on.
    let days: [ForecastDay]

    private var type: PanelType { room.type }

    /// Returns the known days from today on, without those that no link of a panel that can be tapped could open.
    static func days(of forecast: ForecastContent, in room: PanelRoom) -> [ForecastDay] {
        let today = room.environment.today.daysSince1970
        let most = room.isInteractive ? ForecastLink.forecastDays : mostColumns + 1
        return forecast.days.filter { (today..<(today + most)).contains($0.date.daysSince1970) }
    }

    var body: PanelBody? {
        guard let first = days.first else { return nil }
        let others = Array(days.dropFirst())
        for form in Form.all(type, height: room.frame.height, hasOthers: !others.isEmpty) {
            if let body = body(form, first, others) { return body }
        }
        return nil
    }

    /// The size of the first day's number and the details beside it, with the place and the rows of the other days.
    private struct Form {
        enum Others {
            case below(hasSymbols: Bool)
            case beside(hasSymbols: Bool, part: Double)
            case none
        }

        let number: PanelType.Step
        let detail: PanelForecastBlock.Detail
        let others: Others

        /// Returns all forms whose number is no higher than the area, the best one first.
        ///
        /// A first day without its symbol or its condition is better than no other days, and worse than a smaller number.
        static func all(_ type: PanelType, height: Double, hasOthers: Bool) -> [Form] {
            let numbers = type.steps.filter { $0 >= .title && type.leading($0) <= height }
            let alone = PanelForecastBlock.Detail.allCases.flatMap { detail in
                numbers.filter { $0 >= detail.smallestNumber }.map { Form(number: $0, detail: detail, others: .none) }
            }
            guard hasOthers else { return alone }
            return PanelForecastBlock.Detail.allCases.flatMap { detail -> [Form] in
                let numbers = numbers.filter { $0 >= max(detail.smallestNumber, .heading) }
                let below = [true, false].flatMap { hasSymbols in
                    numbers.map { Form(number: $0, detail: detail, others: .below(hasSymbols: hasSymbols)) }
                }
                let beside = numbers.flatMap { number in
                    [true, false].flatMap { hasSymbols in
                        PanelForecast.firstParts.map { part in
                            let others = Others.beside(hasSymbols: hasSymbols, part: part)
                            return Form(number: number, detail: detail, others: others)
                        }
                    }
                }
                return below + beside
            } + alone
        }
    }

    private func body(_ form: Form, _ first: ForecastDay, _ others: [ForecastDay]) -> PanelBody? {
        switch form.others {
        case .none:
            guard let block = PanelForecastBlock(first, form.number, form.detail, in: room) else { return nil }
            return PanelBody(views: [row(block, room.frame)], rowIDs: [first.date.description])
        case .below(let hasSymbols):
            guard let columns = columns(others, hasSymbols: hasSymbols, in: room),
                room.frame.height > columns.height + type.line
            else { return nil }
            var upper = room
            upper.frame.height -= columns.height + type.line
            guard var block = PanelForecastBlock(first, form.number, form.detail, in: upper) else { return nil }
            // Free height goes to the space around the first day, and around the symbols of the others.
            let free = upper.frame.height - block.height
            let space = min((free / 4).rounded(.down), (type.leading(form.number) / 2).rounded(.down))
            block.top += space
            let spread = min(((free - 2 * space) / columns.gaps).rounded(.down), columns.mostSpread)
            var frame = room.frame
            frame.height = block.height + 2 * space + type.line
            var lower = room.below(frame.height)
            lower.frame.height = columns.height + columns.gaps * spread
            let columnsBody = columns.body(in: lower, spread: spread)
            return PanelBody(
                views: [row(block, frame), room.rule(y: frame.y + frame.height - type.line)] + columnsBody.views,
                rowIDs: [first.date.description] + columnsBody.rowIDs
            )
        case .beside(let hasSymbols, let part):
            let width = (room.frame.width * part).rounded(.down)
            var (left, right) = (room, room)
            left.frame.width = width - type.length(Self.gap)
            right.frame.x += width
            right.frame.width -= width
            guard let columns = columns(others, hasSymbols: hasSymbols, in: right), columns.height <= room.frame.height,
                let block = PanelForecastBlock(first, form.number, form.detail, in: left)
            else { return nil }
            let free = room.frame.height - columns.height
            let spread = min((free / columns.gaps).rounded(.down), columns.mostSpread)
            right.frame.height = columns.height + columns.gaps * spread
            let columnsBody = columns.body(in: right, spread: spread)
            let top = type.length(PanelForecastColumns.padding)
            let dots = room.dots(
                x: right.frame.x - type.line,
                y: right.frame.y + top,
                height: right.frame.height - top
            )
            return PanelBody(
                views: [row(block, left.frame), dots] + columnsBody.views,
                rowIDs: [first.date.description] + columnsBody.rowIDs
            )
        }
    }

    private func row(_ block: PanelForecastBlock, _ frame: Rectangle) -> LayoutView {
        LayoutView(kind: .row, frame: frame, action: action(of: block.day), views: block.views)
    }

    private func action(of day: ForecastDay) -> LayoutAction? {
        room.action(ForecastLayout.action(of: day, room.environment))
    }

    /// Returns as many columns as fit beside each other, in the largest type in which all of them do; nil if there are
    /// too few, or if they are higher than the area.
    private func columns(_ days: [ForecastDay], hasSymbols: Bool, in room: PanelRoom) -> PanelForecastColumns? {
        let most = min(days.count, Self.mostColumns)
        for count in stride(from: most, through: min(Self.fewestColumns, most), by: -1) where count > 0 {
            for step in type.steps(from: .large) {
                let columns = PanelForecastColumns(
                    room: room,
                    days: Array(days.prefix(count)),
                    step: step,
                    hasSymbols: hasSymbols,
                    action: action(of:)
                )
                // A larger step must leave the first day the space that its number needs.
                let most = step > .text ? room.frame.height / 2 : room.frame.height
                if columns.fits, columns.height <= most { return columns }
            }
        }
        return nil
    }
}
