// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What a widget says where it has nothing to show: one sentence in the middle, and room for two lines at least.
enum Placeholder: Hashable, Sendable {
    static let margin = 12.0
    static let minimumLines = 2
    static let maximumLines = 4

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

    func view(in environment: LayoutEnvironment) -> any View {
        let lines = Double(Self.minimumLines) * environment.font(.subheadline).leading
        let label = Label(
            DisplayText(text),
            .subheadline,
            color: .secondaryLabel,
            lines: Self.maximumLines,
            alignment: .center
        )
        return Frame(
            width: .room,
            minimumHeight: environment.area.grid.up(lines) + 2 * Self.margin,
            label.inTextMargins(of: environment)
        )
    }
}
