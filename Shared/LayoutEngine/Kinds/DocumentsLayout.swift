// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The layout of a documents widget: quick actions, and recent documents below them.
///
/// In every mode, the actions are as high as a widget in compact mode. They are side by side, except in two cases. On
/// narrow displays with a fixed height, they are one below the other. At accessibility text sizes, they are one below
/// the other if this makes their captions larger.
struct DocumentsLayout: WidgetLayout {
    static let maximumDocuments = 4
    /// The space above and below the content of an action, in points.
    ///
    /// The content is an icon with a caption.
    static let actionPadding = 6.0
    /// The space at both sides of an action's content, in points.
    ///
    /// This space is used if the actions are side by side in a widget without margins.
    static let actionMargin = 8.0
    static let spacing = 10.0
    /// The height of the quick actions on home-screen widgets, in lines of ordinary text.
    ///
    /// Compact mode has this height at the text sizes of these widgets. Here, it depends only on the size of the type.
    static let heightInLines = 5.0
    /// The minimum width of a document's text beside its symbol, as a multiple of the date's font size.
    ///
    /// If there is less space, the symbols are omitted. At accessibility text sizes, they are also omitted if a text would be
    /// cut beside them.
    static let narrowestTexts = 5.5

    /// Returns a leading margin of zero for iOS 8 and 9, whose hosts propose a wide one; other hosts keep their
    /// margins.
    func insets(on family: Display.Family) -> InsetsOverride {
        family == .todayClassic ? InsetsOverride(leading: 0) : InsetsOverride()
    }

    var missing: Placeholder { .openFirst }
    var empty: Placeholder { .empty(.noDocuments) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        guard case .documents(let recent) = content, !recent.documents.isEmpty else { return nil }
        let (symbol, text) = (Self.symbolWidth(environment), Self.narrowestTexts * environment.font(.caption1).size)
        guard environment.columnWidth - symbol >= text else { return Self.table(of: recent, environment) }
        let table = Self.table(of: recent, symbolWidth: symbol, environment)
        guard environment.isAccessibilitySize else { return table }
        var view = Fallback(table) { [Self.table(of: recent, environment)] }
        view.replacesCutTexts = true
        return view
    }

    /// Returns the width of a document's symbol with the space beside it, in points.
    private static func symbolWidth(_ environment: LayoutEnvironment) -> Double {
        environment.area.grid.nearest(environment.font(.body).leading) + symbolSpacing(environment)
    }

    private static func symbolSpacing(_ environment: LayoutEnvironment) -> Double {
        environment.area.grid.nearest(spacing * max(environment.typeScale, 1))
    }

    /// Returns the quick actions and the documents; without symbols if `symbolWidth` is 0.
    private static func table(
        of recent: DocumentsContent,
        symbolWidth: Double = 0,
        _ environment: LayoutEnvironment
    ) -> Table {
        let fonts = [environment.font(.subheadline), environment.font(.caption1)]
        // Hosts without modes show all documents at once, because this layout has no "Show more" footer.
        let limits =
            environment.area.mode == .classic
            ? RowLimits(collapsed: Self.maximumDocuments, expanded: Self.maximumDocuments)
            : environment.moment.definition.rows
        var titles = RowTitles(
            { Self.title(of: recent.documents[$0], environment) },
            fonts: (fonts[0], [fonts[1]]),
            width: environment.columnWidth - symbolWidth,
            in: environment
        )
        // Two documents with one line say more than one with three.
        titles.growRows = false
        var table = Table(
            count: recent.documents.count,
            heights: RowHeights(lines: fonts, grid: environment.area.grid),
            limits: RowLimits(
                collapsed: min(limits.collapsed, Self.maximumDocuments),
                expanded: min(limits.expanded, Self.maximumDocuments)
            ),
            header: Self.actions(environment),
            titles: titles
        ) { [titles] index, form in
            let document = recent.documents[index]
            var title = Label(
                form.title?.text ?? titles.text(of: index),
                .subheadline,
                scale: form.titleScale,
                lines: form.titleLines,
                minimumLines: form.titleLines,
                keepsSize: true,
                priority: 1
            )
            title.measuredText = form.title?.measured
            let openedAt = document.openedAt
            let date = Label(
                DisplayText(openedAt.flatMap { environment.dateAndTime($0) } ?? ""),
                .caption1,
                scale: RowTitles.detailScale(form.titleScale, of: fonts[1]),
                color: .secondaryLabel
            ) { $0.shorterDates(openedAt, timed: true).map { DisplayText($0) } }
            return TableRow(
                id: document.id,
                action: document.link.flatMap(LayoutAction.opening(link:)),
                HorizontalStack(spacing: symbolSpacing(environment)) {
                    if symbolWidth > 0 { Symbol(document.icon ?? SymbolName.document.rawValue, .body, color: .tint) }
                    VerticalStack(labels: form.level == 0 ? [title, date] : [title], priority: 1)
                }
            )
        }
        table.prefersTwoRows = true
        return table
    }

    func accessoryLayout(of content: Content, in environment: LayoutEnvironment) -> AccessoryLayout? {
        guard case .documents(let recent) = content, let document = recent.documents.first else { return nil }
        return AccessoryLayout(
            symbol: .document,
            title: Self.title(of: document, environment).string,
            details: document.openedAt.flatMap(environment.dateAndTime).map {
                [[$0] + environment.shorterDates(document.openedAt, timed: true)]
            } ?? [],
            action: document.link.flatMap(LayoutAction.opening(link:))
        )
    }

    /// Returns the quick actions, with the text of the placeholder below them if there is space.
    ///
    /// The actions are shown even without content. Accessory widgets, and widgets without actions, show only the text.
    func view(of placeholder: Placeholder, in environment: LayoutEnvironment) -> any View {
        let text = placeholder.view(in: environment)
        guard !environment.display.family.isAccessory, let actions = Self.actions(environment) else { return text }
        return VerticalStack {
            actions.withPriority(1)
            text
        }
    }

    static func title(of document: RecentDocument, _ environment: LayoutEnvironment) -> DisplayText {
        let title = DisplayText(document.title)
        return title.isEmpty ? DisplayText(environment.words(.untitled)) : title
    }

    /// Returns the view of the quick actions; nil if the widget has none.
    ///
    /// The captions have the largest font that fits.
    private static func actions(_ environment: LayoutEnvironment) -> Frame? {
        let actions = (environment.moment.definition.actions ?? []).compactMap { action in
            LayoutAction.opening(link: action.url).map { (action: action, tap: $0) }
        }
        guard !actions.isEmpty else { return nil }
        let area = environment.area
        if environment.display.family.isFixed, area.isNarrow {
            return ActionList(actions, height: area.roomHeight, environment).view
        }
        let regular =
            environment.display.family.isFixed
            ? heightInLines * environment.font(.body).leading : environment.compactHeight * environment.typeScale
        let height = min(area.grid.nearest(regular), area.roomHeight)
        let symbols = environment.font(.title1).leading + actionPadding / 2
        let margin = area.left > 0 ? actionPadding : actionMargin
        let captions = ActionCaptions(
            actions.map { DisplayText($0.action.title) },
            in: Room(
                width: area.grid.down((area.right - area.left) / Double(actions.count)) - 2 * margin,
                height: height - 2 * actionPadding - symbols
            ),
            maximumLines: environment.isAccessibilitySize ? 3 : 2,
            environment
        )
        if environment.isAccessibilitySize {
            let list = ActionList(actions, height: height, environment)
            if list.captions.scale > captions.scale { return list.view }
        }
        let padding = EdgeInsets(
            top: actionPadding,
            leading: margin,
            bottom: actionPadding,
            trailing: margin
        )
        // All actions have the same width, and fill that of the widget.
        let row = HorizontalStack(distribution: .equal) {
            for (action, tap) in actions {
                let content = VerticalStack(spacing: actionPadding / 2, alignment: .center) {
                    Symbol(action.icon, .title1, color: .tint)
                    // All captions get the height of the highest one, so that the symbols are aligned.
                    Frame(
                        alignment: .top,
                        minimumHeight: captions.height,
                        captions.label(of: action, alignment: .center)
                    )
                }
                Button(tap, Frame(width: .room, height: .room, horizontal: .center, padding: padding, content))
            }
        }
        return Frame(width: .room, height: .points(height), row)
    }
}
