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
    /// No content yet, and a person has asked for it.
    case refreshing
    /// No content yet, and the last attempt failed.
    case failed
    /// An app gives the content, and has not yet.
    case openFirst
    /// The content has nothing in it.
    case empty(WidgetText)

    private var isOnItsWay: Bool {
        switch self {
        case .loading, .refreshing: true
        case .failed, .openFirst, .empty: false
        }
    }

    func text(in environment: LayoutEnvironment) -> String {
        let text: WidgetText =
            switch self {
            case .loading: .loading
            case .refreshing: .refreshing
            case .failed: .failed
            case .openFirst: .openFirst(name: environment.moment.definition.name)
            case .empty(let text): text
            }
        return environment.words(text)
    }

    /// The sentence in the middle of what there is, and as high as two lines at least.
    ///
    /// In a circle there is room for no sentence: the widget's symbol stands there, and whether something is on its way.
    func view(in environment: LayoutEnvironment) -> any View {
        if environment.display.family == .accessoryCircular {
            let symbol = SymbolName(environment.moment.definition.kind)
            return AccessoryLayout(symbol: symbol, title: isOnItsWay ? "…" : "–").view(in: environment)
        }
        let lines = Double(Self.minimumLines) * environment.font(.subheadline).leading
        return Frame(
            width: .room,
            minimumHeight: environment.area.grid.up(lines) + 2 * Self.margin,
            label(in: environment).inTextMargins(of: environment)
        )
    }

    func label(in environment: LayoutEnvironment, alignment: Label.Alignment = .center) -> Label {
        Label(
            DisplayText(text(in: environment)),
            .subheadline,
            color: .secondaryLabel,
            lines: Self.maximumLines,
            alignment: alignment
        )
    }
}
