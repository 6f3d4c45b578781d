// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Lays out quick actions, side by side and as high as compact mode in every mode, and below them recent documents.
struct DocumentsLayout: WidgetLayout {
    static let maximumDocuments = 4
    /// Around icon and caption of an action, in points.
    static let actionPadding = 6.0
    static let spacing = 10.0

    var missing: Placeholder { .openFirst }
    var empty: Placeholder { .empty(.noDocuments) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        guard case .documents(let recent) = content, !recent.documents.isEmpty else { return nil }
        let fonts = [environment.font(.subheadline), environment.font(.caption1)]
        let limits = environment.moment.definition.rows
        return Table(
            recent.documents,
            heights: RowHeights(lines: fonts, grid: environment.area.grid),
            limits: RowLimits(
                collapsed: min(limits.collapsed, Self.maximumDocuments),
                expanded: min(limits.expanded, Self.maximumDocuments)
            ),
            header: Self.actions(environment)
        ) { document in
            TableRow(
                id: document.id,
                action: document.link.flatMap(LayoutAction.opening(link:)),
                HorizontalStack(spacing: Self.spacing) {
                    Symbol(document.icon ?? SymbolName.document.rawValue, .body, color: .tint)
                    VerticalStack(priority: 1) {
                        Label(Self.title(of: document, environment), .subheadline, priority: 1)
                        Label(
                            DisplayText(document.openedAt.flatMap(environment.dateAndTime) ?? ""),
                            .caption1,
                            color: .secondaryLabel
                        )
                    }
                }
            )
        }
    }

    func glance(of content: Content, in environment: LayoutEnvironment) -> Glance? {
        guard case .documents(let recent) = content, let document = recent.documents.first else { return nil }
        return Glance(
            symbol: .document,
            title: Self.title(of: document, environment).string,
            details: [document.openedAt.flatMap(environment.dateAndTime)].compactMap(\.self),
            action: document.link.flatMap(LayoutAction.opening(link:))
        )
    }

    /// The actions need no content; what is missing is said below them, where there is room.
    func view(of placeholder: Placeholder, in environment: LayoutEnvironment) -> any View {
        let text = placeholder.view(in: environment)
        guard !environment.display.family.isAccessory, let actions = Self.actions(environment) else { return text }
        return VerticalStack {
            actions.withPriority(1)
            text
        }
    }

    private static func title(of document: RecentDocument, _ environment: LayoutEnvironment) -> DisplayText {
        let title = DisplayText(document.title)
        return title.isEmpty ? DisplayText(environment.words(.untitled)) : title
    }

    /// Each as wide as the widget's width divided by their number.
    private static func actions(_ environment: LayoutEnvironment) -> Frame? {
        guard let actions = environment.moment.definition.actions, !actions.isEmpty else { return nil }
        let row = HorizontalStack(distribution: .equal) {
            for action in actions {
                if let tap = LayoutAction.opening(link: action.url) {
                    let content = VerticalStack(spacing: actionPadding / 2, alignment: .center) {
                        Symbol(action.icon, .title1, color: .tint)
                        Label(
                            DisplayText(action.title),
                            .caption1,
                            lines: environment.isAccessibilitySize ? 1 : 2,
                            alignment: .center,
                            priority: 1
                        )
                    }
                    let padding = EdgeInsets(
                        top: actionPadding,
                        leading: actionPadding,
                        bottom: actionPadding,
                        trailing: actionPadding
                    )
                    Button(tap, Frame(width: .room, height: .room, horizontal: .center, padding: padding, content))
                }
            }
        }
        let height = min(environment.compactHeight, environment.area.roomHeight)
        return Frame(width: .room, height: .points(height), row)
    }
}
