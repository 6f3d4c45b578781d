// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The counters of the thread that forwards messages, since the start of the bus, and the subscriptions at this time.
package struct ForwardingCounters: Hashable, Sendable {
    package var forwarded: Int64 = 0
    package var unknownTopics: Int64 = 0
    package var wrongFrames: Int64 = 0
    package var oversized: Int64 = 0
    package var unexpectedSubscriptions: Int64 = 0
    /// The number of subscribers' connections that were ended because they had too many subscriptions.
    package var endedSubscribers: Int64 = 0
    /// The number of publishers' connections that were ended because the bus used too much memory.
    package var droppedPublishers: Int64 = 0
    /// The number of subscriptions of all connections.
    package var subscriptions: Int64 = 0
    /// The size of the prefixes of all subscriptions, in bytes.
    package var subscriptionBytes: Int64 = 0

    package init() {}
}
