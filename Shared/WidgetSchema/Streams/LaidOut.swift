// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The digests of a cycle's layouts, published as `laidout/WIDGET/`.
///
/// The notifier compares them with the previous digests to determine whether something visible changed.
public struct LaidOut: EventPayload {
    public static let eventType = "tidings.laidout.v1"
    public static let publisher = ServiceName.layout

    public var cause: Cause
    public var outcome: Outcome
    public var failure: AttemptFailure?
    /// A Boolean value that indicates whether there was no content to lay out; a placeholder does not count as content.
    public var contentIsMissing: Bool
    /// A Boolean value that indicates whether displays should show the widget.
    ///
    /// For a removed widget, the value is false. For a widget without content, it is true. For other widgets, it is
    /// `hasContent` of the last push or, if that is nil, `hasContent` of the content. If both are nil, the value is
    /// false only if the content is empty and ``WidgetDefinition/hideWhenEmpty`` is true.
    public var hasContent: Bool
    public var contentDate: Instant?
    /// The end of the pause that the host has asked for; see ``Refreshed/blockedUntil``.
    public var blockedUntil: Instant?
    /// The visible state of each display, keyed by the name of the display; empty if the widget was removed.
    public var displays: [DisplayName: DisplayState]
    /// A one-line summary of what the widget's first display shows; empty if the widget was removed.
    ///
    /// The first display is the first one in the configuration that shows the widget.
    public var summary: String
    /// The displays whose locale differs from that of the widget's first display, in ascending order; nil if there are
    /// none.
    public var otherLocales: [DisplayName]?
    public var engine: LayoutEngineVersion
    public var times: CycleTimes

    public init(
        cause: Cause,
        outcome: Outcome,
        failure: AttemptFailure? = nil,
        contentIsMissing: Bool,
        hasContent: Bool,
        contentDate: Instant? = nil,
        blockedUntil: Instant? = nil,
        displays: [DisplayName: DisplayState],
        summary: String,
        otherLocales: [DisplayName]? = nil,
        engine: LayoutEngineVersion,
        times: CycleTimes
    ) {
        self.cause = cause
        self.outcome = outcome
        self.failure = failure
        self.contentIsMissing = contentIsMissing
        self.hasContent = hasContent
        self.contentDate = contentDate
        self.blockedUntil = blockedUntil
        self.displays = displays
        self.summary = summary
        self.otherLocales = otherLocales
        self.engine = engine
        self.times = times
    }
}

/// The visible state of one display, represented by the digest of its layout.
public struct DisplayState: Codable, Hashable, Sendable {
    /// The SHA-256 of everything that the display shows, and of the actions that taps trigger.
    public var digest: ContentDigest
    /// The preferred height of the content that the display shows, in points.
    public var height: Double
    /// The changes of the rows since the previous layout; nil if the layout did not change.
    ///
    /// Also nil if the layout service does not know the previous layout, or if the event would be too large.
    public var rowChanges: RowChanges?
    /// A one-line summary of what the display shows.
    ///
    /// Nil if the text equals the event's own `summary`, or if it was omitted because the event would be too large.
    public var summary: String?
    /// The next time at which the display may look different without new content, such as midnight; nil if there is
    /// none.
    ///
    /// It depends only on the cycle. Also nil in events of earlier versions.
    public var nextChange: Instant?
    /// The time of the last change of ``digest``; nil if it is unknown.
    ///
    /// The notifier sets it, so it is nil in ``LaidOut``. Of two changes, the later one has the later second. It is a time;
    /// ``Update/changed`` is the list of the displays that differ from what subscribers were told to draw.
    public var changed: Instant?
    /// The place on a board; nil if the display is not a cell of a board.
    public var board: BoardPlace?

    public init(
        digest: ContentDigest,
        height: Double,
        rowChanges: RowChanges? = nil,
        summary: String? = nil,
        nextChange: Instant? = nil,
        changed: Instant? = nil,
        board: BoardPlace? = nil
    ) {
        self.digest = digest
        self.height = height
        self.rowChanges = rowChanges
        self.summary = summary
        self.nextChange = nextChange
        self.changed = changed
        self.board = board
    }
}

/// The version of the layout engine that made the layouts, with the fonts that it used.
public struct LayoutEngineVersion: Codable, Hashable, Sendable {
    /// The name of the gauge that contains ``version`` in the heartbeats of layout instances.
    public static let healthGauge = "layout.engine"
    /// The name of the gauge that contains ``fontsMark`` in the heartbeats of layout instances.
    public static let fontsHealthGauge = "layout.fonts"
    /// The number of hexadecimal digits in ``fontsMark``.
    ///
    /// 13 digits are 52 bits, and every JSON reader represents numbers of 52 bits exactly.
    private static let markDigits = 13

    /// The version number, which increases when a change of the engine makes layouts look different.
    public var version: Int
    /// The digest of the fonts with which texts were measured; nil if it is unknown.
    ///
    /// With other fonts, texts have other widths.
    public var fonts: ContentDigest?

    public init(version: Int, fonts: ContentDigest? = nil) {
        self.version = version
        self.fonts = fonts
    }

    /// The first 13 hexadecimal digits of ``fonts`` as a number; nil if ``fonts`` is nil.
    ///
    /// A gauge in a heartbeat is a number, and cannot contain the whole digest.
    public var fontsMark: Int64? { fonts.flatMap { Int64($0.rawValue.prefix(Self.markDigits), radix: 16) } }
}
