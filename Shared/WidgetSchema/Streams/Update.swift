// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The verdict of a cycle (the result and the reason for it), published as `update/RESULT/WIDGET/`.
public struct Update: EventPayload {
    public static let eventType = "tidings.update.v1"
    public static let publisher = ServiceName.notifier

    public var result: UpdateResult
    public var reason: Reason
    public var cause: Cause
    public var outcome: Outcome
    public var failure: AttemptFailure?
    /// The displays whose visible layout differs from the one that subscribers were last told to draw; empty for
    /// ``UpdateResult/noData``.
    public var changed: [DisplayName]
    public var displays: [DisplayName: DisplayState]
    public var hasContent: Bool
    public var contentDate: Instant?
    public var times: CycleTimes
    /// A one-line summary of what one display shows.
    ///
    /// The display is the first one in ``changed``, which is in alphabetical order. If no display changed, it is the
    /// first one in the configuration that shows the widget.
    public var summary: String
    /// The sequence number of the previous update of the widget with the result `newData`; nil if there is no such
    /// update.
    public var previousNewData: SequenceNumber?
    /// The end of the pause that the host has asked for; nil unless the pause kept a command from causing a fetch.
    public var blockedUntil: Instant?

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
        previousNewData: SequenceNumber? = nil,
        blockedUntil: Instant? = nil
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
        self.blockedUntil = blockedUntil
    }
}
