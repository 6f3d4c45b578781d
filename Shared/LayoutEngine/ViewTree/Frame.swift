// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A view in a box with padding.
///
/// The box has a fixed size, the size of its content, or the size of the available space.
struct Frame: View {
    enum Alignment: Sendable {
        case top
        case center
        case bottom
    }

    enum Length: Hashable, Sendable {
        /// The size of the content with its padding.
        case content
        case points(Double)
        /// All of the available space.
        case room
    }

    var width: Length
    var height: Length
    /// The vertical alignment of the content.
    var alignment: Alignment
    /// The horizontal alignment of content that is narrower than the box.
    var horizontal: Label.Alignment
    var padding: EdgeInsets
    /// The minimum height in points of a box that is as high as its content.
    ///
    /// The box is lower than the minimum only if there is less space.
    var minimumHeight: Double
    private let content: any View

    init(
        width: Length = .content,
        height: Length = .content,
        alignment: Alignment = .center,
        horizontal: Label.Alignment = .leading,
        padding: EdgeInsets = EdgeInsets(),
        minimumHeight: Double = 0,
        _ content: any View
    ) {
        self.width = width
        self.height = height
        self.alignment = alignment
        self.horizontal = horizontal
        self.padding = padding
        self.minimumHeight = minimumHeight
        self.content = content
    }

    var isFlexible: Bool {
        switch width {
        case .content: content.isFlexible
        case .points: false
        case .room: true
        }
    }

    var priority: Int { content.priority }

    func leastWidth(in environment: LayoutEnvironment) -> Double {
        if case .points(let points) = width { return points }
        return content.leastWidth(in: environment) + padding.leading + padding.trailing
    }

    func leastHeight(of solved: SolvedView, in environment: LayoutEnvironment) -> Double {
        switch height {
        case .points(let points): points
        case .room: 0
        case .content: solved.size.height
        }
    }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        let box = Room(width: Self.length(width, room.width), height: Self.length(height, room.height))
        guard box.width <= room.width + Room.tolerance, box.height <= room.height + Room.tolerance else { return nil }
        let inner = Room(
            width: max(box.width - padding.leading - padding.trailing, 0),
            height: max(box.height - padding.top - padding.bottom, 0)
        )
        guard var solved = content.solve(in: inner, environment) else { return nil }
        let size = Size(
            width: width == .content ? solved.size.width + padding.leading + padding.trailing : box.width,
            height: height == .content
                ? max(solved.size.height + padding.top + padding.bottom, min(minimumHeight, room.height)) : box.height
        )
        guard size.width <= room.width + Room.tolerance, size.height <= room.height + Room.tolerance else { return nil }
        let freeWidth = size.width - padding.leading - padding.trailing - solved.size.width
        let freeHeight = size.height - padding.top - padding.bottom - solved.size.height
        let grid = environment.area.grid
        let x: Double =
            switch horizontal {
            case .leading: 0
            case .center: grid.down(freeWidth / 2)
            case .trailing: freeWidth
            }
        let y: Double =
            switch alignment {
            case .top: 0
            case .center: grid.down(freeHeight / 2)
            case .bottom: freeHeight
            }
        solved.size = size
        solved.move(x: padding.leading + x, y: padding.top + y)
        return solved
    }

    /// Returns a length in points: `length` if it is fixed, and otherwise the available space `room`.
    private static func length(_ length: Length, _ room: Double) -> Double {
        if case .points(let points) = length { return points }
        return room
    }
}

extension View {
    /// Returns the view with the same leading and trailing margins as the text in the rows of a table.
    func inTextMargins(of environment: LayoutEnvironment) -> Frame {
        let area = environment.area
        let padding = EdgeInsets(leading: area.leadingTextMargin, trailing: area.trailingTextMargin)
        return Frame(width: .room, padding: padding, self)
    }
}
