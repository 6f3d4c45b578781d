// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import LayoutEngine

/// Widgets, displays and contents as they are usually.
enum Sample {
    static func widget(_ name: String = "blog") throws -> WidgetID { try #require(WidgetID(rawValue: name)) }

    static func name(_ name: String) throws -> DisplayName { try #require(DisplayName(rawValue: name)) }

    static func classic(_ change: (inout Display) -> Void = { _ in }) throws -> Display {
        var display = Display.sample(try name("phone-classic"))
        (display.maximumHeight, display.insets) = (540.5, EdgeInsets(leading: 47))
        change(&display)
        return display
    }

    /// Returns an e-paper panel with one pixel for each point and the default margins; a cell of a board has none.
    static func panel(
        _ width: Double,
        _ height: Double,
        _ change: (inout Display) -> Void = { _ in }
    ) throws -> Display {
        try classic {
            $0.family = .panel
            $0.width = width
            $0.maximumHeight = height
            $0.insets = .panel(width: width)
            $0.scale = 1
            change(&$0)
            if $0.panel?.cell != nil { $0.insets = EdgeInsets() }
        }
    }

    /// Returns the place of the first of five cells on a board.
    static func place(_ revision: String = "0123456789abcdef") throws -> BoardPlace {
        BoardPlace(id: try #require(BoardID(rawValue: "kitchen")), revision: revision, cell: 0, of: 5)
    }

    /// Returns a display of the home screen, with insets of 16 points.
    static func home(_ family: Display.Family, _ width: Double, _ height: Double) throws -> Display {
        try classic {
            ($0.family, $0.width, $0.maximumHeight) = (family, width, height)
            $0.insets = EdgeInsets(top: 16, leading: 16, bottom: 16, trailing: 16)
        }
    }

    /// Returns a display with the size and the insets that a device proposes.
    static func display(
        _ device: String,
        _ family: Display.Family,
        _ mode: Display.Mode? = nil,
        at category: ContentSizeCategory = .large
    ) throws -> Display {
        let proposal = try #require(DeviceProfile.named(device)?.proposal(for: family, at: category))
        return try classic {
            ($0.family, $0.mode, $0.contentSizeCategory) = (family, mode, category)
            ($0.width, $0.insets) = (proposal.width, proposal.insets)
            ($0.compactHeight, $0.maximumHeight) = (proposal.compactHeight, proposal.maximumHeight)
        }
    }

    static func today(_ mode: Display.Mode, _ change: (inout Display) -> Void = { _ in }) throws -> Display {
        var display = try classic()
        display.name = try name(mode == .compact ? "phone-compact" : "phone-expanded")
        display.family = .today
        display.mode = mode
        display.compactHeight = 110
        display.maximumHeight = 616
        display.insets = EdgeInsets()
        change(&display)
        return display
    }

    static func displays() throws -> [Display] { [try classic(), try today(.compact), try today(.expanded)] }

    static let instant = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 49_756_000)

    static func items(_ count: Int) -> [FeedItem] {
        (0..<count).map { index in
            FeedItem(
                id: "post-\(index)",
                title: "Post \(index)",
                author: "Author \(index)",
                published: instant.advanced(byMilliseconds: Int64(-index) * 86_400_000),
                link: "https://example.org/posts/\(index)"
            )
        }
    }

    static func feed(_ count: Int) -> Content { .feed(FeedContent(title: "Blog", items: items(count))) }

    static func posts(_ items: [FeedItem]) -> Content { .feed(FeedContent(items: items)) }

    static func quote(_ text: String, author: String? = nil, source: String? = nil) -> Content {
        .quote(QuoteContent(quotes: [Quote(text: text, author: author, source: source)]))
    }

    static func fact(_ key: String, _ value: String) -> Content {
        .keyValue(KeyValueContent(pairs: [KeyValuePair(key: key, value: value)]))
    }

    static func actions(_ titles: [String]) -> [QuickAction] {
        titles.map { QuickAction(title: $0, icon: "folder", url: "editor://open") }
    }

    static func moment(
        _ kind: WidgetKind = .feed,
        expanded: Bool = false,
        rows: RowLimits = RowLimits()
    ) -> WidgetMoment {
        WidgetMoment(
            definition: WidgetDefinition(kind: kind, rows: rows),
            interaction: InteractionState(expanded: expanded),
            instant: instant
        )
    }

    static func environment(
        _ display: Display,
        _ moment: WidgetMoment = Sample.moment(),
        measurer: any TextMeasuring = FixedWidthMeasurer()
    ) -> LayoutEnvironment {
        LayoutEnvironment(display: display, moment: moment, measurer: measurer, formats: LocaleFormats())
    }

    static func draw(
        _ content: Content,
        on display: Display,
        expanded: Bool = false,
        rows: RowLimits = RowLimits(),
        timeZone: String? = nil,
        measurer: any TextMeasuring = FixedWidthMeasurer(),
        _ change: (inout WidgetMoment) -> Void = { _ in }
    ) throws -> Layout {
        var moment = moment(content.kind, expanded: expanded, rows: rows)
        moment.definition.timeZone = timeZone
        change(&moment)
        return try Self.sketch(content, in: environment(display, moment, measurer: measurer)).layout
    }

    /// Draws a content with the renderer of the service.
    static func drawing(
        _ content: Content,
        on display: Display,
        _ measurer: any TextMeasuring = TextMeasurer(),
        _ change: (inout WidgetMoment) -> Void = { _ in }
    ) throws -> Drawing {
        var moment = moment(content.kind)
        change(&moment)
        let shown = ShownContent.content(content, try frame(content).reference.digest)
        return LayoutRenderer(measurer: measurer).draw(DrawingOrder(shown: shown, moment: moment, display: display))
    }

    /// Returns the sketch that the layout of a content's kind draws.
    static func sketch(_ content: Content, in environment: LayoutEnvironment) throws -> Canvas.Sketch {
        try sketch(.content(content, #require(ContentDigest(rawValue: String(repeating: "0", count: 64)))), environment)
    }

    static func sketch(_ shown: ShownContent, _ environment: LayoutEnvironment) throws -> Canvas.Sketch {
        if environment.display.family == .panel {
            let hasContent = environment.moment.hasContent(showing: shown)
            return PanelLayout.sketch(of: shown, hasContent: hasContent, in: environment)
        }
        let layout = environment.moment.definition.kind.widgetLayout
        return Canvas.draw(layout.drawing(of: shown, in: environment), in: environment)
    }

    static func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    /// Days from a date on, each a degree warmer.
    static func forecast(from first: String = "2026-11-21", days: Int = 7) throws -> Content {
        let first = try day(first)
        let conditions = WeatherCondition.allCases
        let days = (0..<days).map { index in
            ForecastDay(
                date: first.advanced(byDays: index),
                condition: conditions[index % conditions.count],
                low: Double(index),
                high: Double(10 + index)
            )
        }
        return .forecast(ForecastContent(days: days))
    }

    static let facts = Content.keyValue(
        KeyValueContent(pairs: [
            KeyValuePair(key: "City", value: "Berlin"),
            KeyValuePair(key: "Country", value: "Germany"),
            KeyValuePair(key: "Time zone", value: "Europe/Berlin"),
        ])
    )

    static let quotes = Content.quote(
        QuoteContent(quotes: [
            Quote(text: "The first quote of the year.", author: "Ada", source: "Letters"),
            Quote(text: "The second one.", author: "Grace", source: "Notes"),
            Quote(text: "The third one.", author: "Edsger"),
        ])
    )

    static func documents(_ count: Int) -> Content {
        let documents = (0..<count).map { index in
            RecentDocument(
                id: "document-\(index)",
                title: "Document \(index)",
                link: "editor://open/\(index)",
                openedAt: instant.advanced(byMilliseconds: Int64(-index) * 3_600_000),
                icon: "doc.text"
            )
        }
        return .documents(DocumentsContent(documents: documents))
    }

    static let actions = [
        QuickAction(title: "New", icon: "square.and.pencil", url: "editor://new"),
        QuickAction(title: "Open", icon: "folder", url: "editor://open"),
        QuickAction(title: "Help", icon: "questionmark.circle", url: "https://example.org/help"),
    ]

    static func list(_ count: Int) -> Content {
        let rows = (0..<count).map { index in
            ContentRow(
                id: "row-\(index)",
                title: .text("Row \(index)"),
                subtitle: .number(RowNumber(Double(index) * 1234.5)),
                date: instant,
                link: "https://example.org/rows/\(index)"
            )
        }
        return .json(RowsContent(rows: rows))
    }

    /// Returns the frame of a content and its reference.
    static func frame(_ content: Content) throws -> (reference: ContentReference, data: Data) {
        let data = try WireJSON.encode(content)
        let digest = try #require(ContentDigest(rawValue: SHA256.hexDigest(of: data)))
        return (ContentReference(parsing: "feed", digest: digest), data)
    }

    static func hexDigest(_ data: Data) -> String { SHA256.hexDigest(of: data) }

    /// Returns a copy without the layout time and the row changes, which differ if a cycle is laid out twice.
    static func timeless(_ laidOut: LaidOut) -> LaidOut {
        var laidOut = laidOut
        laidOut.times.laidOut = nil
        for name in laidOut.displays.keys { laidOut.displays[name]?.rowChanges = nil }
        return laidOut
    }

    /// Returns a cycle as the cache publishes it.
    static func cycle(
        _ sequence: SequenceNumber,
        first: SequenceNumber? = nil,
        of widget: String = "blog",
        cause: Cause = .refresh,
        outcome: Outcome = .changed,
        content: ContentReference? = nil,
        contentSequence: SequenceNumber? = nil,
        expanded: Bool = false,
        displays: [Display]? = nil,
        kind: WidgetKind = .feed
    ) throws -> Event<Refreshed> {
        let widget = try Self.widget(widget)
        let data = Refreshed(
            cause: cause,
            outcome: outcome,
            instant: instant,
            displays: try displays ?? Self.displays(),
            definition: WidgetDefinition(kind: kind),
            interaction: InteractionState(expanded: expanded),
            contentSequence: contentSequence,
            content: content,
            contentDate: contentSequence == nil ? nil : instant,
            times: CycleTimes(answered: instant, committed: instant.advanced(byMilliseconds: 4))
        )
        let range = try #require(SequenceRange(first: first ?? sequence, sequence: sequence))
        return Event(.refreshed(widget), widget: widget, range: range, time: instant, data: data)
    }
}

extension Layout {
    /// All views, each before the views in it.
    var all: [LayoutView] { views.flatMap(\.all) }
    var rows: [LayoutView] { views.filter { $0.kind == .row } }
    var footer: LayoutView? { views.first { $0.kind == .button } }
    /// All lines of text, from top to bottom.
    var lines: [String] { views.flatMap(\.lines) }
    /// A Boolean value that indicates whether no text ends with an ellipsis.
    var isWhole: Bool { !all.contains { $0.text?.lines.last?.text.hasSuffix("…") == true } }
}

extension LayoutView {
    var lines: [String] { (text?.lines.map(\.text) ?? []) + (views ?? []).flatMap(\.lines) }
    /// This view and all in it.
    var all: [LayoutView] { [self] + (views ?? []).flatMap(\.all) }
}
