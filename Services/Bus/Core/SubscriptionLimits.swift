// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import MessageBus

/// The limits on the subscriptions of one connection, and of all connections together.
package struct SubscriptionLimits: Hashable, Sendable {
    /// The range of `count` in a configuration.
    package static let range = 1...1_000_000

    /// The maximum number of subscriptions of one connection.
    package let count: Int
    /// The maximum size of the prefixes to which one connection subscribes, in bytes.
    package let bytes: Int

    /// Creates limits with the default number of bytes for each subscription, but not fewer bytes than the default.
    package init(count: Int = BusLimits.subscriptions) {
        self.init(
            count: count,
            bytes: max(BusLimits.subscriptionBytes, count * BusLimits.subscriptionBytes / BusLimits.subscriptions)
        )
    }

    package init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }

    /// The maximum number of subscriptions of all connections.
    package var countOfAll: Int { count * BusLimits.subscriptionsOfAll }
    /// The maximum size of the prefixes of all connections, in bytes.
    package var bytesOfAll: Int { bytes * BusLimits.subscriptionsOfAll }
}
