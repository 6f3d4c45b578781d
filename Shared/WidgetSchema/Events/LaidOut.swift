// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A cycle laid out, `laidout/WIDGET/`: what the verdict is made of.
public struct LaidOut: EventPayload {
    public static let eventType = "tidings.laidout.v1"
    public static let publisher = ServiceName.layout

    public var cause: Cause
    public var outcome: Outcome
    public var failure: AttemptFailure?
    /// A Boolean value that indicates whether there was no content to lay out, so that a placeholder is shown.
    public var contentIsMissing: Bool
    /// A Boolean value that indicates whether hosts should show the widget.
    ///
    /// False only if a push, the content or `hideWhenEmpty` says so.
    public var hasContent: Bool
    public var contentDate: Instant?
    /// Every display by its name; empty where the widget was removed.
    public var displays: [DisplayName: DisplayState]
    /// One line of what the widget's first display shows.
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

/// The state of one display, by digest.
public struct DisplayState: Codable, Hashable, Sendable {
    /// SHA-256 over everything visible and every action.
    public var digest: ContentDigest
    /// Points.
    public var height: Double
    /// Against the layout before, where there was one.
    public var rowChanges: RowChanges?
    /// One line of what the display shows, if it differs from the event's `summary`.
    public var summary: String?

    public init(digest: ContentDigest, height: Double, rowChanges: RowChanges? = nil, summary: String? = nil) {
        self.digest = digest
        self.height = height
        self.rowChanges = rowChanges
        self.summary = summary
    }
}

/// Which engine drew the layouts.
public struct LayoutEngineVersion: Codable, Hashable, Sendable {
    /// The gauge in heartbeats of layout instances that holds their version.
    public static let healthGauge = "layout.engine"

    /// Raised with every change that is visible.
    public var version: Int
    /// Of the fonts that texts were measured with, for information: other fonts, other widths.
    public var fonts: ContentDigest?

    public init(version: Int, fonts: ContentDigest? = nil) {
        self.version = version
        self.fonts = fonts
    }
}
