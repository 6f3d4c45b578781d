// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The verdict of a cycle, `update/RESULT/WIDGET/`.
public struct Update: EventPayload {
    public static let eventType = "tidings.update.v1"
    public static let publisher = ServiceName.notifier

    public var result: UpdateResult
    public var reason: Reason
    public var cause: Cause
    public var outcome: Outcome
    public var failure: AttemptFailure?
    /// The displays whose visible layout differs from that in the update before.
    public var changed: [DisplayName]
    public var displays: [DisplayName: DisplayState]
    public var hasContent: Bool
    public var contentDate: Instant?
    public var times: CycleTimes
    /// One line of what the first changed display shows; if none changed, of what the widget's first display shows.
    public var summary: String
    /// The sequence of the last update before this one that was `newData`; absent where there was none.
    public var previousNewData: SequenceNumber?

    public init(
        result: UpdateResult,
        reason: Reason,
        cause: Cause,
        outcome: Outcome,
        failure: AttemptFailure? = nil,
        changed: [DisplayName],
        displays: [DisplayName: DisplayState],
        hasContent: Bool,
        contentDate: Instant? = nil,
        times: CycleTimes,
        summary: String,
        previousNewData: SequenceNumber? = nil
    ) {
        self.result = result
        self.reason = reason
        self.cause = cause
        self.outcome = outcome
        self.failure = failure
        self.changed = changed
        self.displays = displays
        self.hasContent = hasContent
        self.contentDate = contentDate
        self.times = times
        self.summary = summary
        self.previousNewData = previousNewData
    }
}
