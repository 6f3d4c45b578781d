// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Lays out the widgets of one kind: a pure function of content, moment and display.
///
/// A new kind is one file with a conformance and one line in ``WidgetKind/widgetLayout``.
protocol WidgetLayout: Sendable {
    /// Whether equal content may look different at another instant; where it may not, instants are ignored.
    var dependsOnInstant: Bool { get }

    /// The layout of a content; nil where the content is of another kind.
    func draw(_ content: Content, in environment: LayoutEnvironment) -> Layout?

    /// One line of what the widget shows; nil where there is nothing to say.
    func summary(of content: Content, at moment: WidgetMoment) -> String?

    /// The next instant after the moment's at which the layout may look different without new content.
    func nextVisibleChange(of content: Content, after moment: WidgetMoment) -> Instant?
}

extension WidgetKind {
    /// The registry of kinds; the compiler asks for a line where one is missing.
    var widgetLayout: any WidgetLayout {
        switch self {
        case .feed: FeedLayout()
        }
    }
}
