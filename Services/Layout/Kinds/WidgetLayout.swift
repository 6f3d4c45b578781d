// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Lays out the widgets of one kind: a pure function of content, moment and display.
///
/// A new kind is one file with a conformance and one line in ``WidgetKind/widgetLayout``.
protocol WidgetLayout: Sendable {
    /// The margins that this kind sets itself, instead of the host's.
    var insets: InsetsOverride { get }

    /// How many rows this kind shows at most, whatever the widget's limits say.
    var maximumRows: Int { get }

    /// What a content shows; nil where the content is of another kind.
    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)?

    /// One line of what the widget shows; nil where there is nothing to say.
    func summary(of content: Content, at moment: WidgetMoment) -> String?
}

extension WidgetLayout {
    var insets: InsetsOverride { InsetsOverride() }
    var maximumRows: Int { 0 }
}

extension InsetsOverride {
    /// These margins, with the edges of others in their place where those have them.
    func overridden(by others: InsetsOverride?) -> InsetsOverride {
        InsetsOverride(
            top: others?.top ?? top,
            leading: others?.leading ?? leading,
            bottom: others?.bottom ?? bottom,
            trailing: others?.trailing ?? trailing
        )
    }
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
