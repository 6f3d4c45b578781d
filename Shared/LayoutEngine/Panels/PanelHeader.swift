// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The date above the cells of a board, which belongs to the layout of its first cell.
struct PanelHeader {
    let environment: LayoutEnvironment
    let type: PanelType

    /// The label with its top left corner at zero and as wide as its text; nil if the display has no header.
    var view: LayoutView? {
        guard let cell = environment.display.panel?.cell, cell.header == .date else { return nil }
        let width = cell.headerSize.map { DisplayArea.length(widthOfDate(in: $0.width)) } ?? DisplayArea.maximumLength
        let texts = environment.headerDates.map { DisplayText($0) }
        let room = PanelRoom(
            environment: environment,
            type: type,
            frame: Rectangle(x: 0, y: 0, width: width, height: DisplayArea.maximumLength)
        )
        for text in texts {
            for step in [PanelType.Step.heading, .title, .text, .small] where room.width(of: text, step, .bold) <= width
            {
                return label(text, step, room)
            }
        }
        return texts.last.flatMap { label($0, .tiny, room) }
    }

    /// The space for the time of the last change at the trailing edge, in pixels at about 125 pixels per inch.
    private static let spaceForChange = 160.0

    private func widthOfDate(in width: Double) -> Double {
        max(width - type.length(Self.spaceForChange), (width / 2).rounded(.down))
    }

    private func label(_ text: DisplayText, _ step: PanelType.Step, _ room: PanelRoom) -> LayoutView? {
        guard let label = room.label(text, step, .bold, width: room.frame.width) else { return nil }
        var views = [label.view(x: 0, y: 0)]
        Canvas.settle(&views, across: label.width, environment)
        return views.first
    }
}
