// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The layouts of a cycle, `laidout/WIDGET/`, from which the notifier determines the verdict.
public struct LaidOut: EventPayload {
    public static let eventType = "tidings.laidout.v1"
    public static let publisher = ServiceName.layout

    public var cause: Cause
    public var outcome: Outcome
    public var failure: AttemptFailure?
    /// A Boolean value that indicates whether there was no content to lay out; a placeholder does not count as content.
    public var contentIsMissing: Bool
    /// A Boolean value that indicates whether hosts should show the widget.
    ///
    /// It is false only if a push, the content or `hideWhenEmpty` requests it.
    public var hasContent: Bool
    public var contentDate: Instant?
    /// The state of each display by its name; empty if the widget was removed.
    public var displays: [DisplayName: DisplayState]
    /// A one-line summary of the widget's first display.
    public var summary: String
    public var engine: LayoutEngineVersion
    public var times: CycleTimes

    public init(
        cause: Cause,
        outcome: Outcome,
        failure: AttemptFailure? = nil,
        contentIsMissing: Bool,
        hasContent: Bool,
        contentDate: Instant? = nil,
        displays: [DisplayName: DisplayState],
        summary: String,
        engine: LayoutEngineVersion,
        times: CycleTimes
    ) {
        self.cause = cause
        self.outcome = outcome
        self.failure = failure
        self.contentIsMissing = contentIsMissing
        self.hasContent = hasContent
        self.contentDate = contentDate
        self.displays = displays
        self.summary = summary
        self.engine = engine
        self.times = times
    }
}

/// The visible state of one display, by digest.
public struct DisplayState: Codable, Hashable, Sendable {
    /// The SHA-256 of everything visible and of all actions.
    public var digest: ContentDigest
    /// The height in points.
    public var height: Double
    /// The changes since the previous layout; nil if there was none.
    public var rowChanges: RowChanges?
    /// A one-line summary of the display, if it differs from the event's `summary`.
    public var summary: String?

    public init(digest: ContentDigest, height: Double, rowChanges: RowChanges? = nil, summary: String? = nil) {
        self.digest = digest
        self.height = height
        self.rowChanges = rowChanges
        self.summary = summary
    }
}

/// The version of the engine that made the layouts.
public struct LayoutEngineVersion: Codable, Hashable, Sendable {
    /// The gauge in heartbeats of layout instances that holds the version of their engine.
    public static let healthGauge = "layout.engine"
    /// The gauge in heartbeats of layout instances that holds the mark of their fonts.
    public static let fontsHealthGauge = "layout.fonts"
    /// The number of hexadecimal digits in a mark, which fits into 52 bits: every JSON reader represents it exactly.
    private static let markDigits = 13

    /// The version, increased with every visible change.
    public var version: Int
    /// The digest of the fonts with which texts were measured, for information: other fonts give other widths.
    public var fonts: ContentDigest?

    public init(version: Int, fonts: ContentDigest? = nil) {
        self.version = version
        self.fonts = fonts
    }

    /// The beginning of the fonts' digest as a number; nil if the digest is unknown.
    public var fontsMark: Int64? { fonts.flatMap { Int64($0.rawValue.prefix(Self.markDigits), radix: 16) } }
}
