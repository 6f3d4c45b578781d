// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The text in the centre of a widget without content.
enum Placeholder: Hashable, Sendable {
    static let margin = 12.0
    static let minimumLines = 2
    static let maximumLines = 6

    /// There is no content yet, and no attempt to fetch content has failed.
    case loading
    /// There is no content yet, but a user has requested content.
    case refreshing
    /// There is no content yet, and the last attempt to fetch content failed.
    case failed
    /// There is no content yet, because the app has not pushed any, or has not written its file.
    case openFirst
    /// The content has no items; the associated value is the text that the widget shows instead.
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

    /// Returns a view with the text in its centre.
    ///
    /// While content is loading and after a failure, the view has the same height. It has space for at least two lines.
    ///
    /// A round display has no space for a sentence. Its view shows the widget's symbol above `…` if content is loading,
    /// and above `–` otherwise.
    func view(in environment: LayoutEnvironment) -> any View {
        if environment.display.family == .accessoryCircular {
            let symbol = SymbolName(environment.moment.definition.kind)
            return AccessoryLayout(symbol: symbol, title: isOnItsWay ? "…" : "–").view(in: environment)
        }
        return Frame(
            width: .room,
            minimumHeight: Self.height(width: environment.area.textWidth, in: environment) + 2 * Self.margin,
            label(in: environment).inTextMargins(of: environment)
        )
    }

    /// Returns the height of the highest text that a widget without content can show at a width, in points.
    static func height(width: Double, in environment: LayoutEnvironment) -> Double {
        let font = environment.font(.subheadline)
        let lines = [Placeholder.loading, .refreshing, .failed].map { placeholder in
            let text = DisplayText(placeholder.text(in: environment))
            return environment.measure(text, font: font, width: width, maximumLines: maximumLines).count
        }
        return environment.area.grid.up(Double(max(lines.max() ?? 0, minimumLines)) * font.leading)
    }

    func label(in environment: LayoutEnvironment, alignment: Label.Alignment = .center) -> Label {
        Label(
            DisplayText(text(in: environment)),
            .subheadline,
            color: .secondaryLabel,
            lines: Self.maximumLines,
            alignment: alignment,
            balancesLines: true
        )
    }
}
