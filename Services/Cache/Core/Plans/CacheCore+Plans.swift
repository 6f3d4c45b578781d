// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import WidgetSchema

/// The changes that make the widgets match the plan.
extension CacheCore {
    /// Applies the plan: starts new widgets, makes a cycle for each changed widget, and ends removed widgets.
    ///
    /// Handles only the first `CacheLimits.reconciledAtOnce` of these widgets; `tick` handles the others.
    mutating func applyPlan(now: Instant) -> CacheStep {
        var step = dropSourcesWithoutWidget(now: now)
        let known = state.widgets.keys.filter { plan.widgets[$0] == nil }
        unreconciled = (Array(plan.widgets.keys) + known).filter { !isReconciled($0) || lacksSource($0) }.sorted(by: >)
        step += reconcileNext(now: now)
        return step + fetchMissingParsings(now: now) + rescheduleChangedIntervals(now: now)
    }

    mutating func reconcileNext(now: Instant) -> CacheStep {
        guard !unreconciled.isEmpty else { return CacheStep() }
        let next = unreconciled.suffix(limits.reconciledAtOnce)
        unreconciled.removeLast(next.count)
        return reconcile(next.reversed(), now: now)
    }

    /// Changes widgets to match the plan; widgets that match already are not changed.
    mutating func reconcile(_ widgets: [WidgetID], now: Instant) -> CacheStep {
        var step = CacheStep()
        for id in widgets {
            if lacksSource(id), let source = plan.widgets[id]?.source {
                step.writes.append(save(SourceRecord(nextAttempt: now), of: source.id))
                schedule.schedule(source.id, host: source.host, at: now)
            }
            if !isReconciled(id) { step += plan.widgets[id].map { reconcile($0, now: now) } ?? remove(id, now: now) }
        }
        return step
    }

    /// Returns whether a widget's source is fetched, but has no record yet.
    private func lacksSource(_ id: WidgetID) -> Bool {
        guard let source = plan.widgets[id]?.source else { return false }
        return !source.isPushed && state.sources[source.id] == nil
    }

    private func isReconciled(_ id: WidgetID) -> Bool {
        let record = state.widgets[id]
        guard let plan = plan.widgets[id] else { return record?.isRemoved ?? true }
        guard let record, !record.isRemoved else { return false }
        return record.source == plan.source.id && !record.wantsOtherContent(by: plan)
            && record.definition == plan.definition && record.displays == plan.displays
    }

    /// Starts the widget of `plan` if it is new or was removed; otherwise makes a cycle that applies `plan` to it.
    private mutating func reconcile(_ plan: WidgetPlan, now: Instant) -> CacheStep {
        guard let record = state.widgets[plan.id], !record.isRemoved else {
            return begin(plan, now: now)
        }
        let sourceChanged = record.source != plan.source.id
        let dropsContent =
            sourceChanged || record.wantsOtherContent(by: plan) || record.definition.kind != plan.definition.kind
        let asked = askAgainIfGone(plan.source.id, now: now)
        // Another widget may have fetched the content that this one wants.
        let held = dropsContent ? state.sources[plan.source.id]?.contents[plan.parsing.key] : nil
        let success = held == nil ? nil : successOfOthers(plan)
        return asked
            + cycle(
                plan.id,
                CycleInput(cause: .configuration, content: held, parsing: plan.parsing),
                now: now
            ) { record in
                record.definition = plan.definition
                record.displays = plan.displays
                record.interaction.keep(devicesOf: plan.displays)
                record.source = plan.source.id
                if dropsContent {
                    record.dropContent()
                    record.lastSuccess = success
                }
            }
    }

    private mutating func begin(_ plan: WidgetPlan, now: Instant) -> CacheStep {
        // A widget that is added again continues its sequence numbers; the rest of its earlier state is dropped.
        var record = WidgetRecord(plan)
        if let known = state.widgets[plan.id] { record.head = known.head } else { index.insert(plan.id) }
        record.interaction.seed = Self.seed(of: plan.id, now: now)
        state.widgets[plan.id] = record
        let asked = askAgainIfGone(plan.source.id, now: now)
        // Another widget may have fetched the content already.
        let held = state.sources[plan.source.id]?.contents[plan.parsing.key]
        let success = held == nil ? nil : successOfOthers(plan)
        return asked
            + cycle(plan.id, CycleInput(cause: .start, content: held, parsing: plan.parsing), now: now) { record in
                record.lastSuccess = success
            }
    }

    /// Returns the seed for the order of the values of a `keyValue` widget; it depends on the widget and the time.
    private static func seed(of widget: WidgetID, now: Instant) -> UInt32 {
        "\(widget)\(now.milliseconds)".utf8.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    private mutating func remove(_ id: WidgetID, now: Instant) -> CacheStep {
        cycle(id, CycleInput(cause: .removed), now: now) { record in
            record.isRemoved = true
            record.displays = []
            record.dropContent()
        }
    }

    /// Drops the sources, contents and host records that no widget uses.
    private mutating func dropSourcesWithoutWidget(now: Instant) -> CacheStep {
        var step = CacheStep()
        for (id, record) in state.sources.inOrder {
            guard let plan = sources[id] else {
                step += forgetIfUnwanted(id)
                continue
            }
            let wanted = Set(plan.parsings.map(\.key))
            guard !record.contents.keys.allSatisfy(wanted.contains) else { continue }
            var record = record
            record.contents = record.contents.filter { wanted.contains($0.key) }
            step.writes.append(save(record, of: id))
        }
        return step + forgetUnusedHosts(now: now)
    }

    /// Removes a source if no widget uses it.
    ///
    /// If a fetch of the source is in flight, the source is removed when the fetch ends, because its host is busy until
    /// then.
    mutating func forgetIfUnwanted(_ source: SourceID) -> CacheStep {
        guard sources[source] == nil, state.leases[source] == nil, state.sources.removeValue(forKey: source) != nil
        else { return CacheStep() }
        schedule.remove(source)
        return CacheStep(writes: [.forgetSource(source)]) + reportQuarantine(of: source)
    }
}
