// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// The "Refreshing…" state of widgets that have no content yet and wait for a fetch.
///
/// A button press starts the state. The state ends when the fetch ends or is postponed.
extension CacheCore {
    /// Ends the "Refreshing…" state of the widgets whose source is on `host`, because the host has requested a pause.
    ///
    /// A widget whose source is being fetched keeps the state until the outcome of the fetch arrives.
    mutating func endRefreshing(on host: String, now: Instant) -> CacheStep {
        endRefreshing(now: now) { core, source in core.host(of: source) == host }
    }

    /// Ends the "Refreshing…" state of the widgets of a source, because the next fetch of the source was postponed.
    mutating func endRefreshing(of source: SourceID, now: Instant) -> CacheStep {
        endRefreshing(now: now) { _, other in other == source }
    }

    private mutating func endRefreshing(
        now: Instant,
        of matches: (CacheCore, SourceID) -> Bool
    ) -> CacheStep {
        var step = CacheStep()
        for widget in refreshingWidgets.sorted() {
            guard state.widgets[widget]?.isRefreshing == true, let source = plan.widgets[widget]?.source.id else {
                refreshingWidgets.remove(widget)
                continue
            }
            guard state.leases[source] == nil, matches(self, source) else { continue }
            refreshingWidgets.remove(widget)
            step += cycle(widget, CycleInput(cause: .interaction), now: now) { $0.isRefreshing = false }
        }
        return step
    }

    // MARK: Sources

    /// Schedules an immediate fetch of each healthy source whose last document was not parsed for all widgets of the
    /// source.
    mutating func fetchMissingParsings(now: Instant) -> CacheStep {
        var step = CacheStep()
        for (id, plan) in sources.inOrder where state.leases[id] == nil {
            guard var record = state.sources[id], record.failures == 0, record.abandonedLeases == 0,
                record.nextAttempt > earliestAttempt(of: record, now: now),
                plan.parsings.contains(where: { !record.knows($0) })
            else { continue }
            record.nextAttempt = earliestAttempt(of: record, now: now)
            step.writes.append(save(record, of: id))
            schedule.schedule(id, host: host(of: id), at: record.nextAttempt)
        }
        return step
    }

    /// Returns the earliest time of a source's next fetch.
    ///
    /// This is `now`, unless a restore of the store ended a lease of the source early. In this case, it is the original
    /// end of the lease, because the fetcher may still be fetching the source until that time.
    func earliestAttempt(of record: SourceRecord, now: Instant) -> Instant {
        // The clock may have been set back since the lease was granted.
        max(now, min(record.heldUntil ?? now, now.advanced(by: limits.leaseDuration)))
    }

    /// Schedules an immediate fetch of a source if it is permanently gone.
    ///
    /// Called when a widget of the source is started or has a new configuration.
    mutating func askAgainIfGone(_ source: SourceID, now: Instant) -> CacheStep {
        guard var record = state.sources[source], record.goneSince != nil, state.leases[source] == nil else {
            return CacheStep()
        }
        record.goneSince = nil
        record.nextAttempt = now
        schedule.schedule(source, host: host(of: source), at: now)
        return CacheStep(writes: [save(record, of: source)])
    }
}
