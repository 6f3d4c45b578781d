// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// How patient a consumer of streams is, and how much it asks for at once.
public struct CatchUpLimits: Hashable, Sendable {
    /// How long a head may be ahead of a consumer, or behind it, before that counts as a gap.
    public static let defaultHeadPatienceMilliseconds: Int64 = 1000
    /// How long a consumer waits before it asks for the same widget again.
    public static let defaultAskIntervalMilliseconds: Int64 = 1000
    /// How long an ask may stay without answer or error before it counts as lost.
    public static let defaultAnswerTimeoutMilliseconds: Int64 = 5000
    /// How many widgets one ask names: with the longest ids it is a fifth of an internal frame.
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
