// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The judge of stale marks and of clock cycles, at the commits of the cache.
///
/// A mark shows the last success, which changes with a success only. A clock cycle has a new day, or draws or removes a mark;
/// no attempt causes one.
struct StaleMarkJudge {
    /// The last cycle of each widget in the current store.
    private var last: [WidgetID: Refreshed] = [:]
    /// The time of the last success of each widget in the current store, by the clock of its cycle.
    private var successes: [WidgetID: Instant] = [:]

    /// Forgets the cycles, because the cache's store was put back or promoted.
    mutating func forget() { (last, successes) = ([:], [:]) }

    /// Returns what is wrong with the mark of a cycle; nil if it is right.
    mutating func judge(_ cycle: Refreshed, of widget: WidgetID) -> String? {
        let before = last.updateValue(cycle, forKey: widget)
        let isSuccess = [Outcome.changed, .sameContent, .sameBytes, .notModified].contains(cycle.outcome)
        if isSuccess { successes[widget] = cycle.times.committed }
        if cycle.staleAt != nil, !Self.hasPanel(cycle) || cycle.content == nil {
            return "a widget without panel or content has a mark"
        }
        if isSuccess, cycle.staleSince != nil { return "a mark after a success" }
        guard let before else { return nil }
        if !isSuccess, let old = before.staleSince, let new = cycle.staleSince, old != new {
            return "the mark says \(new), not \(old), without a success"
        }
        let sameDay = LocalDays.utc.date(at: before.instant) == LocalDays.utc.date(at: cycle.instant)
        if cycle.cause == .clock, sameDay, before.staleSince == cycle.staleSince {
            return "a clock cycle at \(cycle.instant) changes nothing"
        }
        return nil
    }

    /// Returns the time that the panels of a widget must show at the end, long after the last success.
    func markAtTheEnd(of widget: WidgetID) -> Instant? { successes[widget] }

    /// Returns whether the last cycle of a widget has a mark, if it needs one.
    func isMarked(_ widget: WidgetID) -> Bool {
        guard let cycle = last[widget], Self.hasPanel(cycle), cycle.content != nil else { return true }
        return cycle.staleSince != nil && cycle.staleSince == successes[widget]
    }

    private static func hasPanel(_ cycle: Refreshed) -> Bool { cycle.displays.contains { $0.family == .panel } }
}
