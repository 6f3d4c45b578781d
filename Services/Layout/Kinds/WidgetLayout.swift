// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Lays out the widgets of one kind: a pure function of content, moment and display.
///
/// A new kind is one file with a conformance and one line in ``WidgetKind/widgetLayout``.
protocol WidgetLayout: Sendable {
    /// Whether equal content may look different at another instant; where it may not, instants are ignored.
    var dependsOnInstant: Bool { get }

    /// The margins that this kind sets itself.
    var margins: MarginOverrides { get }

    /// What a content shows; nil where the content is of another kind.
    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)?

    /// One line of what the widget shows; nil where there is nothing to say.
    func summary(of content: Content, at moment: WidgetMoment) -> String?

    /// The next instant after the moment's at which the layout may look different without new content.
    func nextVisibleChange(of content: Content, after moment: WidgetMoment) -> Instant?
}

extension WidgetLayout {
    var dependsOnInstant: Bool { false }
    var margins: MarginOverrides { MarginOverrides() }

    func nextVisibleChange(of content: Content, after moment: WidgetMoment) -> Instant? { nil }
}

extension WidgetKind {
    /// The registry of kinds; the compiler asks for a line where one is missing.
    var widgetLayout: any WidgetLayout {
        switch self {
        case .feed: FeedLayout()
        case .keyValue, .forecast, .quote, .documents, .json: UndrawnLayout()
        }
    }
}
