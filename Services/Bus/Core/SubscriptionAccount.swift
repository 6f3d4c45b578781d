// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The subscriptions of one connection.
struct SubscriptionAccount {
    /// The number and the size of subscriptions.
    struct Use: Hashable {
        var count = 0
        /// The size of the prefixes, in bytes.
        var bytes = 0

        static func += (left: inout Use, right: Use) {
            left.count += right.count
            left.bytes += right.bytes
        }

        static prefix func - (use: Use) -> Use { Use(count: -use.count, bytes: -use.bytes) }
    }

    /// The maximum number of frames of one connection within a second that change none of its subscriptions.
    static let repeatsPerSecond = 50_000
    /// The maximum number of frames of one connection within a second.
    static let framesPerSecond = 150_000

    let number: UInt64
    let address: String
    private(set) var use = Use()
    /// A Boolean value that indicates whether the connection must end; its further messages are ignored.
    private(set) var isClosed = false
    private var prefixes: Set<[UInt8]> = []
    private var secondEnd: ContinuousClock.Instant?
    private var (frames, repeats) = (0, 0)

    init(number: UInt64, address: String) {
        self.number = number
        self.address = address
    }

    /// Adds or removes a subscription; returns the change.
    mutating func apply(_ frame: SubscriptionFrame, now: ContinuousClock.Instant) -> Use {
        let hasChanged =
            frame.subscribes ? prefixes.insert(frame.prefix).inserted : prefixes.remove(frame.prefix) != nil
        if secondEnd.map({ $0 <= now }) ?? true { (secondEnd, frames, repeats) = (now + .seconds(1), 0, 0) }
        frames += 1
        guard hasChanged else {
            repeats += 1
            return Use()
        }
        let added = Use(count: 1, bytes: frame.prefix.count)
        let change = frame.subscribes ? added : -added
        use += change
        return change
    }

    /// A Boolean value that indicates whether the connection has sent too many frames within a second.
    var isTooFast: Bool { frames > Self.framesPerSecond || repeats > Self.repeatsPerSecond }

    /// Forgets the subscriptions, and ignores further ones.
    mutating func close() {
        (prefixes, use, isClosed) = ([], Use(), true)
    }
}
