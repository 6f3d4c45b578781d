// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A committed cycle, `refreshed/WIDGET/`: all that a layout needs to know, so that it reads no clock and no
/// configuration.
///
/// The content follows as a frame where it is new (`contentSequence` is the event's sequence) and in replayed records.
public struct Refreshed: EventPayload {
    public static let eventType = "tidings.refreshed.v1"
    public static let publisher = ServiceName.cache

    public var cause: Cause
    public var outcome: Outcome
    public var failure: AttemptFailure?
    /// The moment that the cycle shows.
    public var instant: Instant
    /// Empty if the widget was removed.
    public var displays: [Display]
    public var definition: WidgetDefinition
    public var interaction: InteractionState
    /// The cycle that brought the content; absent where there is none yet.
    public var contentSequence: SequenceNumber?
    public var content: ContentReference?
    /// A Boolean value that indicates whether a push said that hosts should show the widget; absent means that the
    /// content decides.
    public var hasContent: Bool?
    /// When the origin gave the content.
    public var contentDate: Instant?
    /// Set where there is no content yet and a person has asked for some.
    public var isRefreshing: Bool?
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
        self.times = times
    }
}
