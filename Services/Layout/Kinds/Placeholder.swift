// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What a widget says where it has nothing to show: one sentence, as high as two lines and a margin.
enum Placeholder: Hashable, Sendable {
    static let margin = 12.0
    static let maximumLines = 2.0

    /// No content yet, and no attempt has failed.
    case loading
    /// No content yet, and the last attempt failed.
    case failed
    /// The feed has no posts.
    case emptyFeed

    var text: String {
        switch self {
        case .loading: "Loading…"
        case .failed: "An error occurred while retrieving data"
        case .emptyFeed: "No posts"
        }
    }

    /// The sentence in the middle; in compact mode of the host's height, otherwise of its own.
    func draw(in environment: LayoutEnvironment) -> Layout {
        let area = environment.area
        let font = environment.font(.subheadline)
        let ownHeight = area.top + Self.maximumLines * font.leading + 2 * Self.margin + area.bottom
        let height =
            switch area.mode {
            case .compact(let height): height
            case .expanded, .classic: min(ownHeight, area.maximumHeight)
            }
        let left = min(area.left + area.leftTextMargin, area.right)
        let free = max(height - area.top - area.bottom, 0)
        let lines = max(min((free / font.leading).rounded(.down), Self.maximumLines), 0)
        guard lines > 0 else { return Layout(size: Size(width: area.width, height: height), views: []) }
        let label = environment.label(
            DisplayText(text),
            font: font,
            color: .secondaryLabel,
            alignment: .center,
            frame: Rectangle(
                x: left,
                y: area.top + area.grid.down((free - lines * font.leading) / 2),
                width: max(area.right - area.rightTextMargin - left, 0),
                height: lines * font.leading
            )
        )
        return Layout(size: Size(width: area.width, height: height), views: [label])
    }
}
