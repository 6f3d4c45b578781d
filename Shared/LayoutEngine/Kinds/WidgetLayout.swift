// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The layout of the widgets of one kind: a pure function of content, time and display.
///
/// A new kind needs one file with a conformance, and one line in ``WidgetKind/widgetLayout``. Panels have layouts of their
/// own: a ``PanelView`` for each kind.
protocol WidgetLayout: Sendable {
    /// Returns the margins that replace the host's margins for widgets of this kind.
    ///
    /// If the margin of an edge is nil, the host's margin is used.
    func insets(on family: Display.Family) -> InsetsOverride

    /// Returns the view of a content; nil if the content is of another kind or has nothing to show.
    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)?

    /// Returns the symbol and the short texts that the smallest displays show; nil if there is nothing to show.
    func accessoryLayout(of content: Content, in environment: LayoutEnvironment) -> AccessoryLayout?

    /// Returns the number of labels that a layout needs to show the whole content.
    ///
    /// For example, a quote with an author and a source needs three labels. The number is used only for kinds that show
    /// a single text; see ``WidgetKind/showsOneText``.
    func labelCount(of content: Content, in environment: LayoutEnvironment) -> Int

    /// Returns the main text of a widget that shows a single text, with the space for this text.
    ///
    /// No layout of the content is complete if it cuts this text. Returns nil if there is no content, or if the space
    /// depends on the font size.
    func mainText(of content: Content, in environment: LayoutEnvironment) -> MainText?

    /// Returns the view of a placeholder.
    func view(of placeholder: Placeholder, in environment: LayoutEnvironment) -> any View

    /// The placeholder for a widget that has no content yet, as long as no attempt to fetch content has failed.
    var missing: Placeholder { get }

    /// The placeholder for content without items.
    var empty: Placeholder { get }
}

extension WidgetLayout {
    func insets(on family: Display.Family) -> InsetsOverride { InsetsOverride() }
    var missing: Placeholder { .loading }

    func labelCount(of content: Content, in environment: LayoutEnvironment) -> Int { 1 }

    func mainText(of content: Content, in environment: LayoutEnvironment) -> MainText? { nil }

    func view(of placeholder: Placeholder, in environment: LayoutEnvironment) -> any View {
        placeholder.view(in: environment)
    }

    /// Returns the view of a widget, or only its name or symbol if the display is too small for the view.
    func drawing(of shown: ShownContent, in environment: LayoutEnvironment) -> any View {
        Fallback(view(of: shown, in: environment)) {
            let text = environment.moment.name(on: environment.display, showing: shown) ?? ""
            let name = Label(DisplayText(text), .caption1, isHugging: true)
            let symbol = Symbol(SymbolName(environment.moment.definition.kind).rawValue, .caption1)
            return [
                Frame(width: .room, horizontal: .center, name), Frame(width: .room, horizontal: .center, symbol),
            ]
        }
    }

    private func view(of shown: ShownContent, in environment: LayoutEnvironment) -> any View {
        guard let content = shown.content, content.kind == environment.moment.definition.kind else {
            return view(of: placeholder(for: shown), in: environment)
        }
        if environment.display.family.isAccessory {
            return accessory(of: content, in: environment)?.view(in: environment) ?? empty.view(in: environment)
        }
        return view(of: content, in: environment) ?? view(of: empty, in: environment)
    }

    /// Returns a line of text that summarises the widget.
    func summary(of shown: ShownContent, in environment: LayoutEnvironment) -> String {
        guard let content = shown.content, content.kind == environment.moment.definition.kind else {
            return placeholder(for: shown).text(in: environment)
        }
        return accessory(of: content, in: environment)?.line ?? empty.text(in: environment)
    }

    /// Returns the parts for the smallest displays; for a private widget, only the number of its items.
    private func accessory(of content: Content, in environment: LayoutEnvironment) -> AccessoryLayout? {
        guard environment.moment.definition.private == true else {
            return accessoryLayout(of: content, in: environment)
        }
        return content.isEmpty ? nil : AccessoryLayout(countOf: content, in: environment)
    }

    private func placeholder(for shown: ShownContent) -> Placeholder {
        switch shown {
        case .none(isRefreshing: true, _): .refreshing
        case .none(_, attemptFailed: false): missing
        case .missing: .openFirst
        case .none, .unreadable, .content: .failed
        }
    }
}

extension InsetsOverride {
    /// Returns a copy of these margins; each margin that is set in `others` replaces the margin of the same edge.
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
    /// The algorithm that computes the layouts of widgets of this kind.
    var widgetLayout: any WidgetLayout {
        switch self {
        case .feed: FeedLayout()
        case .keyValue: KeyValueLayout()
        case .forecast: ForecastLayout()
        case .quote: QuoteLayout()
        case .documents: DocumentsLayout()
        case .json: JSONLayout()
        }
    }
}
