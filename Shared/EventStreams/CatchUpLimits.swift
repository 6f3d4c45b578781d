// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The timeouts of a consumer of streams, and the maximum size of its requests.
public struct CatchUpLimits: Hashable, Sendable {
    /// The default of ``headTolerance``: the time after which a difference between head and position counts as a gap.
    ///
    /// The head is the latest sequence number of a widget, as reported by the producer. The position is the sequence
    /// number up to which the consumer has received the widget's stream.
    public static let defaultHeadTolerance: Duration = .seconds(1)
    /// The default of ``requestInterval``: the minimum time between two requests for the same widget.
    public static let defaultRequestInterval: Duration = .seconds(1)
    /// The default of ``answerTimeout``: the time after which a request without an answer or error counts as lost.
    public static let defaultAnswerTimeout: Duration = .seconds(5)
    /// The default of ``widgetsPerRequest``, the maximum number of widgets in one request.
    ///
    /// Even with ids of the maximum length, such a request takes only a fifth of the maximum size of an internal frame.
    public static let defaultWidgetsPerRequest = 2000

    public var headTolerance: Duration
    public var requestInterval: Duration
    public var answerTimeout: Duration
    public var widgetsPerRequest: Int

    public init(
        headTolerance: Duration = defaultHeadTolerance,
        requestInterval: Duration = defaultRequestInterval,
        answerTimeout: Duration = defaultAnswerTimeout,
        widgetsPerRequest: Int = defaultWidgetsPerRequest
    ) {
        self.headTolerance = headTolerance
        self.requestInterval = requestInterval
        self.answerTimeout = answerTimeout
        self.widgetsPerRequest = widgetsPerRequest
    }
}
