// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The intervals and limits with which a consumer of streams asks for missing events.
public struct CatchUpLimits: Hashable, Sendable {
    /// The time for which a head may differ from a consumer's position before that counts as a gap.
    public static let defaultHeadPatienceMilliseconds: Int64 = 1000
    /// The minimum interval between two requests for the same widget.
    public static let defaultAskIntervalMilliseconds: Int64 = 1000
    /// The time after which a request without an answer counts as lost.
    public static let defaultAnswerTimeoutMilliseconds: Int64 = 5000
    /// The maximum number of widgets in one request; with the longest ids they take a fifth of an internal frame.
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
