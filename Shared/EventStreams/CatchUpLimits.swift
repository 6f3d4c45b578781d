// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The timeouts of a consumer of streams, and the maximum size of its requests.
public struct CatchUpLimits: Hashable, Sendable {
    /// The default of ``headTolerance``: the time for which a head may differ from the consumer's position
    /// before the difference counts as a gap.
    public static let defaultHeadPatienceMilliseconds: Int64 = 1000
    /// The default of ``askIntervalMilliseconds``: the minimum time between two requests for the same widget.
    public static let defaultAskIntervalMilliseconds: Int64 = 1000
    /// The default of ``answerTimeoutMilliseconds``: the time without an answer or error after which a request counts
    /// as lost.
    public static let defaultAnswerTimeoutMilliseconds: Int64 = 5000
    /// The default of ``widgetsPerAsk``, the maximum number of widgets in one request.
    ///
    /// With the longest ids, such a request is a fifth of an internal frame.
    public static let defaultWidgetsPerAsk = 2000

    public var headPatienceMilliseconds: Int64
    public var askIntervalMilliseconds: Int64
    public var answerTimeoutMilliseconds: Int64
    public var widgetsPerAsk: Int

    public init(
        headPatienceMilliseconds: Int64 = defaultHeadPatienceMilliseconds,
        askIntervalMilliseconds: Int64 = defaultAskIntervalMilliseconds,
        answerTimeoutMilliseconds: Int64 = defaultAnswerTimeoutMilliseconds,
        widgetsPerAsk: Int = defaultWidgetsPerAsk
    ) {
        self.headPatienceMilliseconds = headPatienceMilliseconds
        self.askIntervalMilliseconds = askIntervalMilliseconds
        self.answerTimeoutMilliseconds = answerTimeoutMilliseconds
        self.widgetsPerAsk = widgetsPerAsk
    }
}
