// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension PanelList {
    /// Creates the rows of a feed, whose authors are shown only if they take no space from a post.
    init(_ feed: FeedContent, in room: PanelRoom) {
        let environment = room.environment
        let items = room.shown(feed.items)
        self.init(
            room: room,
            rows: items.indices.map { index in
                let item = items[index]
                return Row(
                    id: item.id,
                    action: room.action(item.link.flatMap(LayoutAction.opening(webLink:))),
                    title: FeedLayout.title(of: items, at: index, environment),
                    summary: item.summary.map { DisplayText($0) },
                    date: environment.panelDate(item.shownDate).map { DisplayText($0) },
                    detail: item.author.map { DisplayText($0) }.flatMap { $0.isEmpty ? nil : $0 }
                )
            }
        )
    }

    /// Creates the rows of a JSON document, whose subtitles are as important as the titles.
    init(_ list: RowsContent, in room: PanelRoom) {
        let environment = room.environment
        self.init(
            room: room,
            rows: room.shown(list.rows).map { row in
                Row(
                    id: row.id,
                    action: room.action(row.link.flatMap(LayoutAction.opening(link:))),
                    title: JSONLayout.title(of: row, environment),
                    date: environment.panelDate(row.date).map { DisplayText($0) },
                    detail: row.subtitle.flatMap(environment.text).map { DisplayText($0) }.flatMap {
                        $0.isEmpty ? nil : $0
                    }
                )
            },
            needsDetails: true
        )
    }
}

extension PanelRoom {
    /// Returns the items that a list may show.
    ///
    /// Panels show as many as fit; the limit of the widget counts only if it is not the default.
    func shown<Item>(_ items: [Item]) -> [Item] {
        let most = environment.moment.definition.rows.expanded
        return most == RowLimits.defaultExpanded ? items : Array(items.prefix(max(most, 0)))
    }
}

/// Recent documents, below the quick actions of a panel that can be tapped.
struct PanelDocuments: PanelView {
    let recent: DocumentsContent
    let room: PanelRoom

    var body: PanelBody? {
        guard let actions = PanelActions(in: room) else { return list(in: room).body }
        guard var body = list(in: room.below(actions.height)).body else {
            return PanelBody(views: actions.views)
        }
        body.views = actions.views + body.views
        return body
    }

    private func list(in room: PanelRoom) -> PanelList {
        let environment = room.environment
        return PanelList(
            room: room,
            rows: room.shown(recent.documents).map { document in
                PanelList.Row(
                    id: document.id,
                    action: room.action(document.link.flatMap(LayoutAction.opening(link:))),
                    symbol: document.icon ?? SymbolName.document.rawValue,
                    title: DocumentsLayout.title(of: document, environment),
                    date: environment.panelDate(document.openedAt).map { DisplayText($0) }
                )
            }
        )
    }
}

/// The quick actions of a panel that can be tapped, in columns of equal width with dotted lines between them.
struct PanelActions {
    private static let height = 44.0
    private static let symbolSide = 16.0
    private static let gap = 6.0

    private let room: PanelRoom
    private let actions: [(action: QuickAction, tap: LayoutAction)]

    /// Creates the actions; nil if there are none, if nobody can tap them, or if they do not fit.
    init?(in room: PanelRoom) {
        self.room = room
        guard room.isInteractive, room.frame.height >= room.type.length(Self.height) else { return nil }
        actions = (room.environment.moment.definition.actions ?? []).compactMap { action in
            LayoutAction.opening(link: action.url).map { (action: action, tap: $0) }
        }
        guard !actions.isEmpty, columnWidth >= room.type.length(Self.symbolSide) else { return nil }
    }

    var height: Double { room.type.length(Self.height) }

    private var columnWidth: Double { (room.frame.width / Double(actions.count)).rounded(.down) }

    /// Returns the captions in the largest step in which all of them are whole; nil if there is none.
    private func captions(width: Double) -> [PanelLabel]? {
        for step in room.type.steps(from: .text) {
            let lines = max(Int((height - room.type.line) / room.type.leading(step)), 1)
            let labels = actions.compactMap { item in
                room.label(
                    DisplayText(item.action.title),
                    step,
                    .bold,
                    width: width,
                    lines: min(lines, PanelList.titleLines)
                )
            }
            if labels.count == actions.count, labels.allSatisfy(\.isWhole) { return labels }
        }
        return nil
    }

    /// The buttons with a symbol and a caption each; without captions if one of them would be cut.
    var views: [LayoutView] {
        let (type, gap) = (room.type, room.type.length(Self.gap))
        let side = type.length(Self.symbolSide)
        let width = columnWidth - side - 3 * gap
        let captions = captions(width: width)
        var views: [LayoutView] = []
        for (index, item) in actions.enumerated() {
            let x = room.frame.x + Double(index) * columnWidth
            var parts = [
                room.symbol(
                    item.action.icon,
                    side: side,
                    x: captions == nil ? ((columnWidth - side) / 2).rounded(.down) : gap,
                    y: ((height - type.line - side) / 2).rounded(.down)
                )
            ]
            if let label = captions?[index] {
                parts.append(label.view(x: side + 2 * gap, y: ((height - type.line - label.height) / 2).rounded(.down)))
            }
            let frame = Rectangle(x: x, y: room.frame.y, width: columnWidth, height: height - type.line)
            views.append(LayoutView(kind: .button, frame: frame, action: item.tap, views: parts))
            if index > 0 { views.append(room.dots(x: x, y: room.frame.y + gap, height: height - type.line - 2 * gap)) }
        }
        return views + [room.rule(y: room.frame.y + height - type.line)]
    }
}
