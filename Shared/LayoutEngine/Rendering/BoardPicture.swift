// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The composer of boards: it places the layouts of cells, and draws the time of the last change into the header.
///
/// Equal requests give equal pictures. A composer must be used by one thread only.
public final class BoardComposer {
    private let measurer = TextMeasurer()
    private let formats = LocaleFormats()

    public init() {}

    /// Returns the picture of a board; the request has no ``BoardRequest/fault``.
    public func picture(_ request: BoardRequest) -> Picture {
        let board = request.board
        var cells = request.cells.compactMap { cell in
            board.cells.indices.contains(cell.cell)
                ? BoardCellLayout(frame: board.cells[cell.cell].frame, layout: cell.layout) : nil
        }
        if let header = header(of: request) { cells.append(header) }
        let size = Size(width: Double(board.width), height: Double(board.height))
        return Picture(board: cells, size: size, panel: board.panel)
    }

    // MARK: Header

    /// The minimum distance between the date and the time in pixels at 125 pixels per inch.
    private static let gap = 16.0
    /// The valid instants: the years 1970 to 9987.
    private static let written = Instant(milliseconds: 0)...Instant(milliseconds: 253_000_000_000_000)

    /// Returns the header with the date of the first cell's layout and the time of the last change; nil if the board has none.
    private func header(of request: BoardRequest) -> BoardCellLayout? {
        let board = request.board
        guard board.header != .none, let frame = board.headerFrame else { return nil }
        let place = formats.place(locale: board.locale, timeZone: board.timeZone, hourCycle: board.hourCycle)
        var views: [LayoutView] = []
        // The baseline of the time if there is no date.
        var baseline = (frame.height * 0.7).rounded()
        var room = frame.width
        if var date = request.cells.lazy.compactMap(\.layout.header).first {
            date.frame.x = place.isRightToLeft ? frame.width - date.frame.width : 0
            date.frame.y = ((frame.height - date.frame.height) / 2).rounded(.down)
            if let line = date.text?.lines.first { baseline = (date.frame.y + line.baseline).rounded() }
            room -= date.frame.width + Self.gap * board.panel.typeFactor
            views.append(date)
        }
        if let change = change(request, at: place, baseline: baseline, room: room, in: frame) { views.append(change) }
        guard !views.isEmpty else { return nil }
        return BoardCellLayout(
            frame: frame,
            layout: Layout(size: Size(width: frame.width, height: frame.height), views: views)
        )
    }

    /// Returns the label with the time of the last change at the trailing edge; nil if it is unknown or has no room.
    private func change(
        _ request: BoardRequest,
        at place: LocaleFormats.Place,
        baseline: Double,
        room: Double,
        in frame: Rectangle
    ) -> LayoutView? {
        guard let instant = request.lastChange, Self.written.contains(instant) else { return nil }
        let panel = request.board.panel
        let isNarrow = Double(request.board.width) < PanelType.narrow * panel.typeFactor
        let ordinary = PanelType.Step.small
        let size = ((isNarrow ? PanelType.Step.tiny : ordinary).rawValue * panel.typeFactor).rounded()
        let font = LayoutFont(
            style: .subheadline,
            weight: .regular,
            scale: size / ordinary.rawValue,
            size: size,
            leading: (ordinary.leading * panel.typeFactor).rounded()
        )
        let time = formats.timeOfDay(instant, at: place)
        for text in [BoardWord.changed(at: time, in: place.language), time] {
            let lines = measurer.measure(
                DisplayText(text),
                font: font,
                width: Self.longest,
                maximumLines: 1,
                look: panel.palette.colors == nil ? .smooth : .pixels
            )
            guard let line = lines.first, line.width.rounded(.up) <= room else { continue }
            let width = line.width.rounded(.up)
            return LayoutView(
                kind: .label,
                frame: Rectangle(
                    x: place.isRightToLeft ? 0 : frame.width - width,
                    y: baseline - line.baseline,
                    width: width,
                    height: font.leading
                ),
                text: LayoutText(
                    lines: [TextLine(text: line.text, x: 0, baseline: line.baseline, width: line.width)],
                    font: font,
                    color: .label
                )
            )
        }
        return nil
    }

    /// The width for measuring a line that is not broken.
    private static let longest = 100_000.0
}
