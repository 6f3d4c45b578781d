// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The rule for which last values a producer publishes: those that changed, and all of them again in rounds.
///
/// Once per `interval`, the producer publishes the values that changed since the last publication. It also goes through
/// all keys in rounds, in ascending order: each publication includes the next `perInterval` keys, changed or not. A
/// round ends when it has reached the last key. So even a consumer that lost all earlier messages receives each value
/// within one round.
public struct PublicationRounds<Key: Hashable & Comparable & Sendable>: Sendable {
    public let interval: Duration
    public let perInterval: Int
    /// The maximum number of changed keys in one interval; the others follow in the next ones.
    private let maximumChanges: Int
    private var changed: Set<Key> = []
    /// The elements of `changed` in the order in which they were inserted, which is the order of their publication.
    private var order: [Key] = []
    /// The keys that the current round has not reached yet, in descending order.
    ///
    /// The last element is the next key of the round.
    private var round: [Key] = []
    private var wait: Wait?

    public init(interval: Duration, perInterval: Int, maximumChanges: Int = .max) {
        precondition(perInterval > 0, "a round must include at least one key in each interval")
        self.interval = interval
        self.perInterval = perInterval
        self.maximumChanges = maximumChanges
    }

    /// Includes a key in the next publication.
    public mutating func insert(_ key: Key) {
        if changed.insert(key).inserted { order.append(key) }
    }

    /// Includes all `keys` in the next publications, in ascending order.
    public mutating func insert(_ keys: some Sequence<Key>) {
        for key in keys.sorted() { insert(key) }
    }

    /// The time of the next publication; nil before the first one, which is due at once.
    public var nextDeadline: Instant? { wait?.end }

    /// Returns the keys whose values are to be published; nil if the interval has not passed.
    ///
    /// `keys` is called when a round begins, and returns all keys. Keys that were removed since then may be returned.
    public mutating func due(at now: Instant, among keys: () -> some Sequence<Key>) -> [Key]? {
        guard wait?.isOver(at: now) ?? true else { return nil }
        wait = Wait(since: now, duration: interval)
        if round.isEmpty { round = keys().sorted(by: >) }
        let published = changed.count <= maximumChanges ? changed : Set(order.prefix(maximumChanges))
        var chosen = published.sorted()
        var inTurn = 0
        while inTurn < perInterval, let key = round.popLast() {
            inTurn += 1
            if !published.contains(key) { chosen.append(key) }
        }
        order.removeFirst(published.count)
        if order.isEmpty { changed = [] } else { changed.subtract(published) }
        return chosen
    }

    /// Returns the time of one round through `count` keys.
    public func duration(of count: Int) -> Duration { interval * max(1, (count + perInterval - 1) / perInterval) }
}
