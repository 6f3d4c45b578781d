// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Numbers are never used twice, also where the store is an older one than the last.
extension CacheCore {
    /// Gives every widget of a restored store a cycle beyond all numbers that may have been used after the backup; the
    /// leases of that time are void.
    mutating func renumberAll(_ now: Instant) -> [CacheAction] {
        var actions: [CacheAction] = [.count(.restores)]
        for source in state.leases.keys.sorted() {
            endLease(of: source)
            schedule.finish(source, nextDue: state.sources[source]?.nextAttempt ?? now, at: now)
            actions.append(.endLease(source))
        }
        for widget in state.widgets.keys.sorted() { actions += renumber(widget, toReach: .zero, now) }
        state.wasRestored = false
        return actions + [.forgetRestore]
    }

    /// Sees to a widget of which somebody has seen a number that was not given out here: one of the stores was put back.
    mutating func raise(_ widget: WidgetID, toReach from: SequenceNumber, _ now: Instant) -> [CacheAction] {
        let latest = now.advanced(byMilliseconds: Self.plausibleLead).milliseconds
        guard from.number <= UInt64(max(latest, 0)) else { return [] }
        if let last = renumbered[widget], now < last.advanced(byMilliseconds: Self.renumberInterval), now >= last {
            return []
        }
        renumbered = renumbered.filter { now < $0.value.advanced(byMilliseconds: Self.renumberInterval) }
        renumbered[widget] = now
        return [.reportBehind(widget, askedFrom: from)] + renumber(widget, toReach: from, now)
    }

    private mutating func renumber(_ id: WidgetID, toReach least: SequenceNumber, _ now: Instant) -> [CacheAction] {
        let isRemoved = state.widgets[id]?.isRemoved ?? false
        return cycle(id, cause: isRemoved ? .removed : .start, outcome: .fresh, renumberedFrom: least, now)
    }
}
