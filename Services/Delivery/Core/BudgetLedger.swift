// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import WidgetSchema

/// The times of the messages of the last 24 hours, of one destination and widget or board.
struct BudgetLedger: DefaultValue, Sendable {
    static let defaultValue = BudgetLedger()

    typealias Budget = TidingsConfiguration.Destination.Budget

    static let window: Duration = .seconds(86_400)

    /// The state of a store that was restored: messages since its backup are not in the log.
    struct Restored: Codable, Hashable, Sendable {
        var at: Instant
    }

    /// The times, in ascending order.
    private(set) var times: [Instant] = []

    /// Returns the number of messages in the 24 hours before `now`.
    func spent(now: Instant) -> Int { times.count { $0.advanced(by: Self.window) > now } }

    /// Returns the number of messages that a budget allows at present.
    func left(_ budget: Budget, isHigh: Bool, restored: Restored?, now: Instant) -> Int {
        max(0, limit(budget, isHigh: isHigh, restored: restored, now: now) - spent(now: now))
    }

    /// Returns the time from which a budget allows the next message; it may have passed.
    func next(_ budget: Budget, isHigh: Bool, restored: Restored?, now: Instant) -> Instant {
        let spacing = ([restored?.at, times.last].compactMap { $0 }.max()).map { $0.advanced(by: budget.spacing) }
        let limit = limit(budget, isHigh: isHigh, restored: restored, now: now)
        let recent = times.filter { $0.advanced(by: Self.window) > now }
        guard recent.count >= limit else { return spacing ?? now }
        // The limit is below 1 only after a restore, whose time is known then.
        let free =
            limit > 0
            ? recent[recent.count - limit].advanced(by: Self.window)
            : restored.map { $0.at.advanced(by: Self.window) } ?? now.advanced(by: Self.window)
        return spacing.map { max($0, free) } ?? free
    }

    private func limit(_ budget: Budget, isHigh: Bool, restored: Restored?, now: Instant) -> Int {
        let penalty = restored.map { $0.at.advanced(by: Self.window) > now } == true ? (budget.perDay + 1) / 2 : 0
        return budget.perDay - (isHigh ? 0 : budget.reserve) - penalty
    }

    /// Adds a message at `now`, and returns its entry.
    mutating func spend(now: Instant) -> Instant {
        times.removeAll { $0.advanced(by: Self.window) <= now }
        let entry = max(now, times.last ?? now)
        times.append(entry)
        return entry
    }

    /// Removes the entry of a message that certainly did not arrive.
    mutating func refund(_ entry: Instant) {
        if let index = times.lastIndex(of: entry) { times.remove(at: index) }
    }

    /// Returns the part in the sums of the report; zero without a budget.
    func share(of budget: Budget?, restored: Restored?, now: Instant) -> LedgerShare {
        guard let budget else { return LedgerShare() }
        return LedgerShare(
            spent: spent(now: now),
            left: left(budget, isHigh: false, restored: restored, now: now),
            end: times.first { $0.advanced(by: Self.window) > now }?.advanced(by: Self.window)
        )
    }

    /// Moves all times with the wall clock, which was set while the service ran.
    mutating func shift(by change: Duration) { times = times.map { $0.advanced(by: change) } }

    /// Moves times after `now` to it: the wall clock was set back while the service did not run.
    mutating func clamp(to now: Instant) { times = times.map { min($0, now) } }
}
