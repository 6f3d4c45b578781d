// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The counters of the thread that forwards messages, since the start of the bus, and the subscriptions at this time.
struct ForwardingCounters: Hashable, Sendable {
    var forwarded: Int64 = 0
    var unknownTopics: Int64 = 0
    var wrongFrames: Int64 = 0
    var oversized: Int64 = 0
    var unexpectedSubscriptions: Int64 = 0
    /// The number of subscribers' connections that were ended because they had too many subscriptions.
    var endedSubscribers: Int64 = 0
    /// The number of publishers' connections that were ended because the bus used too much memory.
    var droppedPublishers: Int64 = 0
    /// The number of subscriptions of all connections.
    var subscriptions: Int64 = 0
    /// The size of the prefixes of all subscriptions, in bytes.
    var subscriptionBytes: Int64 = 0
}
