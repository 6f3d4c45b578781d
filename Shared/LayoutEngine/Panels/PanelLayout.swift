// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The layout of a widget on a panel: a title, and the content below it in pixels.
///
/// Panels have rules of their own, because many of them are black and white, nobody can tap most of them, and people read
/// them from across a room.
struct PanelLayout {
    /// The sides of a symbol that stands for the whole widget, in pixels at about 125 pixels per inch.
    private static let symbolSides = [32.0, 16]

    private let environment: LayoutEnvironment
    private let shown: ShownContent
    private let hasContent: Bool

    /// Returns the layout of a widget with its rows.
    ///
    /// `hasContent` is false if displays should hide the widget: a panel then shows its name alone.
    static func sketch(of shown: ShownContent, hasContent: Bool, in environment: LayoutEnvironment) -> Canvas.Sketch {
        PanelLayout(environment: environment, shown: shown, hasContent: hasContent).sketch
    }

    private var definition: WidgetDefinition { environment.moment.definition }
    private var display: Display { environment.display }
    /// The content; nil if there is none that a widget of this kind can show.
    private var content: Content? { shown.content.flatMap { $0.kind == definition.kind ? $0 : nil } }

    private var sketch: Canvas.Sketch {
        let type = PanelType(display)
        let room = PanelRoom(environment: environment, type: type, frame: frame)
        var body = self.body(in: room)
        Canvas.settle(&body.views, across: environment.area.grid.down(environment.area.width), environment)
        let rowIDs = Canvas.unique(body.rowIDs)
        var ids = rowIDs[...]
        for index in body.views.indices where body.views[index].kind == .row {
            body.views[index].id = ids.popFirst()
        }
        let link = room.isInteractive ? definition.link : nil
        let layout = Layout(
            size: Size(width: environment.area.width, height: environment.area.maximumHeight),
            appearance: display.appearance,
            link: link.flatMap { LayoutAction.opening(link: $0) == nil ? nil : $0 },
            views: body.views,
            header: PanelHeader(environment: environment, type: type).view
        )
        return Canvas.Sketch(layout: layout, rowIDs: rowIDs)
    }

    /// The area within the margins, as if text ran from left to right.
    private var frame: Rectangle {
        let (area, grid, own) = (environment.area, environment.area.grid, definition.insets)
        func margin(_ chosen: Double?, _ proposed: Double) -> Double {
            grid.up(DisplayArea.length(chosen ?? proposed))
        }
        let left = min(margin(own?.leading, display.insets.leading), area.width)
        let top = min(margin(own?.top, display.insets.top), area.maximumHeight)
        return Rectangle(
            x: left,
            y: top,
            width: max(grid.down(area.width - left - margin(own?.trailing, display.insets.trailing)), 0),
            height: max(grid.down(area.maximumHeight - top - margin(own?.bottom, display.insets.bottom)), 0)
        )
    }

    // MARK: Parts

    private func body(in room: PanelRoom) -> PanelBody {
        let title = PanelTitleBar(room: room, name: name(in: room), symbol: symbol, state: state)
        guard let views = title.views else { return nameAlone(in: room) }
        guard hasContent else { return PanelBody(views: views) }
        guard var body = contentBody(in: room.below(title.height)) else { return nameAlone(in: room) }
        body.views = views + body.views
        return body
    }

    private func contentBody(in room: PanelRoom) -> PanelBody? {
        guard room.frame.width > 0, room.frame.height > 0 else { return nil }
        guard let content, !content.isEmpty, let view = content.onPanel(in: room) else {
            return PanelMessage(text: message, room: room).body
        }
        return view.body
    }

    /// The widget's own symbol if it can be drawn, or else that of the kind.
    ///
    /// In 16 pixels, a sun behind a cloud is a blot, and an encircled "i" looks like a number.
    private var symbol: String {
        if let own = definition.symbol, SymbolCatalog.draws(own) { return own }
        return switch definition.kind {
        case .forecast: "sun.max"
        case .keyValue: "info"
        case .feed, .documents, .quote, .json: SymbolName(definition.kind).rawValue
        }
    }

    /// Returns the name: that of the cell, of the widget or of the content, or else, without a glyph, a word for the kind.
    private func name(in room: PanelRoom) -> DisplayText {
        let name = DisplayText(environment.moment.name(on: display, showing: shown) ?? "")
        return room.width(of: name, .small, .bold) > 0
            ? name : DisplayText(PanelWord(definition.kind).string(in: environment.language))
    }

    private var state: PanelTitleBar.State? {
        if let since = environment.moment.staleSince {
            return .stale(
                environment.panelTimes(since).map { PanelWord.since.string(in: environment.language, $0) }
            )
        }
        guard hasContent, case .feed(let feed) = content else { return nil }
        return environment.postsToday(in: feed).map {
            PanelTitleBar.State.fact(PanelWord.postsToday.string(in: environment.language, $0))
        }
    }

    // MARK: Without content

    /// The sentence that replaces the content.
    private var message: String {
        let (moment, layout) = (environment.moment, definition.kind.widgetLayout)
        if content != nil { return layout.empty.text(in: environment) }
        switch shown {
        case .missing: return Placeholder.openFirst.text(in: environment)
        case .unreadable, .content: return PanelWord.unreadable.string(in: environment.language)
        case .none(isRefreshing: true, _): return Placeholder.refreshing.text(in: environment)
        case .none(_, attemptFailed: true):
            return moment.failure?.sentence(in: environment.language) ?? Placeholder.failed.text(in: environment)
        case .none:
            return moment.isPushed
                ? PanelWord.waiting.string(in: environment.language) : Placeholder.loading.text(in: environment)
        }
    }

    /// Returns the name, or the symbol, of a widget whose panel is too small for more.
    private func nameAlone(in room: PanelRoom) -> PanelBody {
        let name = name(in: room)
        for step in room.type.steps(from: .small) {
            let lines = Int(room.frame.height / room.type.leading(step))
            guard let label = room.label(name, step, .bold, width: room.frame.width, lines: lines), label.isWhole,
                !label.breaksAnyWord
            else { continue }
            return PanelBody(views: [label.view(x: room.frame.x, y: room.frame.y)])
        }
        let most = min(room.frame.width, room.frame.height)
        let side = Self.symbolSides.map(room.type.length).first { $0 <= most } ?? most
        guard side >= 1 else { return PanelBody(views: []) }
        return PanelBody(views: [room.symbol(symbol, side: side, x: room.frame.x, y: room.frame.y)])
    }
}

extension Content {
    /// Returns the layout of the content on a panel; nil if there is nothing to show.
    fileprivate func onPanel(in room: PanelRoom) -> (any PanelView)? {
        let environment = room.environment
        switch self {
        case .feed(let feed): return PanelList(feed, in: room)
        case .documents(let recent): return PanelDocuments(recent: recent, room: room)
        case .json(let list): return PanelList(list, in: room)
        case .forecast(let forecast):
            let days = PanelForecast.days(of: forecast, in: room)
            return days.isEmpty ? nil : PanelForecast(room: room, days: days)
        case .quote(let quotes): return quotes.quote(on: environment.today).map { PanelQuote(room: room, quote: $0) }
        case .keyValue(let facts):
            if environment.moment.definition.show == .all, facts.pairs.count > 1 {
                return PanelFacts(room: room, pairs: facts.pairs)
            }
            return environment.moment.interaction.shownIndex(among: facts.pairs.map(\.key)).map {
                PanelFact(room: room, pair: facts.pairs[$0])
            }
        }
    }
}

/// A sentence at reading size that replaces the content.
struct PanelMessage: PanelView {
    private static let space = 8.0

    let text: String
    let room: PanelRoom

    var body: PanelBody? {
        let text = DisplayText(text)
        let space = room.type.length(Self.space)
        let height = room.frame.height - space
        for step in room.type.steps(from: room.type.isNarrow ? .text : .title) {
            let lines = Int(height / room.type.leading(step))
            guard let label = room.label(text, step, width: room.frame.width, lines: lines),
                label.isGood(in: step, of: room.type)
            else { continue }
            return PanelBody(views: [label.view(x: room.frame.x, y: room.frame.y + space)])
        }
        return nil
    }
}
