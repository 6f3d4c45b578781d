// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import JSON

/// A committed cycle, published as `refreshed/WIDGET/`.
///
/// The event contains everything that a layout depends on; this includes neither a clock nor a configuration. The JSON
/// of the content follows in a separate frame if the content is new (`contentSequence` equals the sequence number of the
/// event), and whenever the stored event is sent again in a replay.
public struct Refreshed: EventPayload {
    public static let eventType = "tidings.refreshed.v1"
    public static let publisher = ServiceName.cache

    public var cause: Cause
    public var outcome: Outcome
    public var failure: AttemptFailure?
    /// The time for which the layouts are computed: it determines which day is today.
    public var instant: Instant
    /// The displays that show the widget; empty if the widget was removed.
    @Repeated public var displays: [Display]
    @Repeated public var definition: WidgetDefinition
    public var interaction: InteractionState
    /// The sequence number of the cycle that introduced the content; nil if ``content`` is nil.
    public var contentSequence: SequenceNumber?
    public var content: ContentReference?
    /// A Boolean value that indicates whether displays should show the widget; nil if the last push did not set it, or if
    /// there was no push.
    public var hasContent: Bool?
    /// The time at which the origin first sent the current content, or a client pushed it; nil if ``content`` is nil.
    public var contentDate: Instant?
    /// A Boolean value that indicates whether the widget has no content yet but waits for content that a user
    /// requested; nil means false.
    public var isRefreshing: Bool?
    /// A Boolean value that indicates whether clients push the widget's content; nil if a fetcher fetches it, or if the
    /// event comes from an earlier version.
    public var isPushed: Bool?
    /// The end of the pause that the host has asked for.
    ///
    /// Nil unless a command caused the cycle, and the pause kept the command from causing a fetch.
    public var blockedUntil: Instant?
    /// A Boolean value that indicates whether the widget has no content yet because its file does not exist; nil means
    /// false.
    public var isMissing: Bool?
    /// The time at which the content was last confirmed: by an answer with it, by one that says that it is unchanged, or by
    /// a push.
    ///
    /// Nil if it is unknown, and unless ``staleAt`` is set.
    public var lastSuccess: Instant?
    /// The time from which panels mark the content as stale, unless it is confirmed before; nil if they never do, or if no
    /// display is a panel.
    public var staleAt: Instant?
    public var times: CycleTimes

    public init(
        cause: Cause,
        outcome: Outcome,
        failure: AttemptFailure? = nil,
        instant: Instant,
        displays: [Display],
        definition: WidgetDefinition,
        interaction: InteractionState,
        contentSequence: SequenceNumber? = nil,
        content: ContentReference? = nil,
        hasContent: Bool? = nil,
        contentDate: Instant? = nil,
        isRefreshing: Bool? = nil,
        isPushed: Bool? = nil,
        blockedUntil: Instant? = nil,
        isMissing: Bool? = nil,
        lastSuccess: Instant? = nil,
        staleAt: Instant? = nil,
        times: CycleTimes
    ) {
        self.cause = cause
        self.outcome = outcome
        self.failure = failure
        self.instant = instant
        self.displays = displays
        self.definition = definition
        self.interaction = interaction
        self.contentSequence = contentSequence
        self.content = content
        self.hasContent = hasContent
        self.contentDate = contentDate
        self.isRefreshing = isRefreshing
        self.isPushed = isPushed
        self.blockedUntil = blockedUntil
        self.isMissing = isMissing
        self.lastSuccess = lastSuccess
        self.staleAt = staleAt
        self.times = times
    }
}

extension Refreshed {
    /// The time since which the content is stale, which panels show; nil if it is not stale at ``instant``.
    public var staleSince: Instant? { staleAt.flatMap { $0 <= instant ? lastSuccess : nil } }
}
