// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A forecast: one large number with the condition beside it, and the other days as columns with dotted lines between them.
struct PanelForecast: PanelView {
    /// The maximum number of columns of days.
    private static let mostColumns = 5
    private static let fewestColumns = 2
    /// The part of a low and wide area that the first day has beside the others.
    private static let firstPart = 0.4
    private static let gap = 12.0
    /// The limits of the space that is added above and below the first day, and around the symbols of the others.
    private static let mostAdded = (first: 32.0, days: 16.0)

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
        for form in Form.all(type, hasOthers: !others.isEmpty) {
            if let body = body(form, first, others) { return body }
        }
        return nil
    }

    /// The size of the first day's number, with the place and the rows of the other days.
    private struct Form {
        enum Others {
            case below(hasSymbols: Bool)
            case beside(hasSymbols: Bool)
            case none
        }

        let number: PanelType.Step
        let others: Others

        /// Returns all forms, the best one first.
        static func all(_ type: PanelType, hasOthers: Bool) -> [Form] {
            let numbers = type.steps(from: .number).filter { $0 >= .title }
            let none = numbers.map { Form(number: $0, others: .none) }
            guard hasOthers else { return none }
            let below = [true, false].flatMap { hasSymbols in
                [PanelType.Step.number, .large].map { Form(number: $0, others: .below(hasSymbols: hasSymbols)) }
            }
            let beside = [PanelType.Step.number, .large].flatMap { number in
                [true, false].map { Form(number: number, others: .beside(hasSymbols: $0)) }
            }
            return below + beside + none
        }
    }

    private func body(_ form: Form, _ first: ForecastDay, _ others: [ForecastDay]) -> PanelBody? {
        switch form.others {
        case .none:
            guard let block = PanelForecastBlock(first, form.number, in: room) else { return nil }
            return PanelBody(views: [row(block, room.frame)], rowIDs: [first.date.description])
        case .below(let hasSymbols):
            guard let columns = columns(others, hasSymbols: hasSymbols, in: room),
                room.frame.height > columns.height + type.line
            else { return nil }
            var upper = room
            upper.frame.height -= columns.height + type.line
            guard var block = PanelForecastBlock(first, form.number, in: upper) else { return nil }
            // Free height goes to the space around the first day, and around the symbols of the others.
            let free = upper.frame.height - block.height
            let space = min((free / 4).rounded(.down), type.length(Self.mostAdded.first))
            block.top += space
            let spread = min(((free - 2 * space) / 4).rounded(.down), type.length(Self.mostAdded.days))
            var frame = room.frame
            frame.height = block.height + 2 * space + type.line
            var lower = room.below(frame.height)
            lower.frame.height = columns.height + columns.gaps * spread
            let columnsBody = columns.body(in: lower, spread: spread)
            return PanelBody(
                views: [row(block, frame), room.rule(y: frame.y + frame.height - type.line)] + columnsBody.views,
                rowIDs: [first.date.description] + columnsBody.rowIDs
            )
        case .beside(let hasSymbols):
            let width = (room.frame.width * Self.firstPart).rounded(.down)
            var (left, right) = (room, room)
            left.frame.width = width - type.length(Self.gap)
            right.frame.x += width
            right.frame.width -= width
            guard let columns = columns(others, hasSymbols: hasSymbols, in: right), columns.height <= room.frame.height,
                let block = PanelForecastBlock(first, form.number, in: left)
            else { return nil }
            let free = room.frame.height - columns.height
            let spread = min((free / 4).rounded(.down), type.length(Self.mostAdded.days))
            right.frame.height = columns.height + columns.gaps * spread
            let columnsBody = columns.body(in: right, spread: spread)
            let dots = room.dots(x: right.frame.x - type.line, y: right.frame.y, height: right.frame.height)
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
            for step in type.steps(from: .heading) {
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
