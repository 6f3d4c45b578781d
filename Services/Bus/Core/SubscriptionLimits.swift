// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import MessageBus

/// The limits on the subscriptions of one connection, and of all connections together.
package struct SubscriptionLimits: Hashable, Sendable {
    /// The range of `count` in a configuration.
    package static let range = 1...1_000_000
    /// The range of `countOfAll` in a configuration.
    package static let rangeOfAll = 1...100_000_000

    /// The maximum number of subscriptions of one connection.
    package let count: Int
    /// The maximum size of the prefixes to which one connection subscribes, in bytes.
    package let bytes: Int
    /// The maximum number of subscriptions of all connections.
    package let countOfAll: Int
    /// The maximum size of the prefixes of all connections, in bytes.
    package let bytesOfAll: Int
    /// The number of subscriptions, and the size of their prefixes, that a connection may have whatever all have together.
    ///
    /// Each service has fewer, so that it can connect again above the limits of all.
    let (protectedCount, protectedBytes): (Int, Int)

    /// Creates limits with the default number of bytes for each subscription, but not fewer bytes than the default.
    package init(count: Int = BusLimits.subscriptions, ofAll: Int = BusLimits.subscriptionsOfAll) {
        self.init(count: count, bytes: Self.bytes(for: count), ofAll: ofAll)
    }

    /// Creates limits; those of all connections are at least those of one.
    package init(count: Int, bytes: Int, ofAll: Int = BusLimits.subscriptionsOfAll) {
        self.count = count
        self.bytes = bytes
        countOfAll = max(count, ofAll)
        bytesOfAll = max(bytes, Self.bytes(for: countOfAll))
        (protectedCount, protectedBytes) = (min(16, max(1, count / 50)), min(512, max(1, bytes / 100)))
    }

    private static func bytes(for count: Int) -> Int {
        max(BusLimits.subscriptionBytes, count * BusLimits.subscriptionBytes / BusLimits.subscriptions)
    }
}
