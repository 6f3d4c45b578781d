// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import LayoutEngine
import WidgetSchema

/// The handling of missing contents: a cycle waits until the cache has sent its content.
extension LayoutCore {
    /// Holds a cycle until its content arrives, and requests a replay of the widget's cycles from the cache.
    ///
    /// The replay starts at the widget's waiting cycle with the lowest sequence number. No request is sent if another
    /// one for the widget is in flight, or if the last one was sent less than `askInterval` ago.
    mutating func hold(_ cycle: HeldCycles.Cycle, of widget: WidgetID, now: Instant) -> [LayoutEffect] {
        var cycles = held.value(for: widget) ?? HeldCycles()
        counts.cyclesDropped += cycles.append(cycle)
        held.remember(cycles, for: widget)
        return askForContent(of: widget, from: cycles.cycles.map(\.range.sequence).min(), now: now)
    }

    mutating func askForContent(of widget: WidgetID, from sequence: SequenceNumber?, now: Instant) -> [LayoutEffect] {
        guard let sequence, !askedFor.contains(widget) else { return [] }
        if let last = lastAsk.value(for: widget), !last.isOver(at: now) { return [] }
        lastAsk.remember(Wait(since: now, duration: Self.askInterval), for: widget)
        askedFor.insert(widget)
        counts.contentsAsked += 1
        let cacheRequest = LayoutEffect.CacheRequest.replay(ReplayRequest(from: [widget: sequence]))
        return [
            .report(.contentAsked(widget, sequence)),
            ask(cacheRequest, for: .content(widget), timeout: Self.askTimeout),
        ]
    }

    mutating func ask(_ cacheRequest: LayoutEffect.CacheRequest, for purpose: Purpose, timeout: Duration)
        -> LayoutEffect
    {
        nextAsk += 1
        waiting[nextAsk] = purpose
        return .ask(nextAsk, cacheRequest, timeout: timeout)
    }

    /// Publishes the cycles that the cache has sent, and after them the waiting cycles whose contents are now
    /// available.
    mutating func contentCame(
        _ records: Records<Refreshed>,
        frames: [Data],
        for widget: WidgetID,
        now: Instant
    ) -> [LayoutEffect] {
        var effects: [LayoutEffect] = []
        let others = Self.read(records, frames)
        for (reference, frame) in zip(records.contents ?? [], frames) {
            if let content = others[reference.digest] {
                contents.remember(content, as: reference.digest, bytes: frame.count)
            } else {
                counts.contentsRefused += 1
                effects.append(.report(.contentRefused(widget, .zero, reference.digest)))
            }
        }
        var published = SequenceNumber.zero
        for event in records.records {
            guard event.widget == widget, let range = event.range else { continue }
            note(event.data, of: widget)
            guard let shown = contents.shown(by: event.data, beside: others) else { continue }
            let cycle = ShownCycle(widget: widget, range: range, refreshed: event.data, shown: shown)
            effects += begin(.cycle(cycle), now: now)
            published = range.sequence
        }
        let waiting = held.value(for: widget)?.cycles.filter { $0.range.sequence > published } ?? []
        held.forget(widget)
        var lacking: [HeldCycles.Cycle] = []
        for held in waiting {
            if lacking.isEmpty, let shown = contents.shown(by: held.refreshed) {
                let cycle = ShownCycle(widget: widget, range: held.range, refreshed: held.refreshed, shown: shown)
                effects += begin(.cycle(cycle), now: now)
            } else {
                lacking.append(held)
            }
        }
        guard !lacking.isEmpty else { return effects }
        // These cycles still lack their content: the cache stored it after its answer, so the next answer will contain
        // it.
        let again = lacking.first.flatMap { askForContent(of: widget, from: $0.range.sequence, now: now) } ?? []
        if again.isEmpty { return effects + drop(lacking.count, of: widget, because: nil) }
        var cycles = HeldCycles()
        for cycle in lacking { counts.cyclesDropped += cycles.append(cycle) }
        held.remember(cycles, for: widget)
        return effects + again
    }

    mutating func drop(_ count: Int, of widget: WidgetID, because error: RequestError?) -> [LayoutEffect] {
        guard count > 0 else { return [] }
        counts.cyclesDropped += Int64(count)
        return [.report(.cyclesDropped(widget, count: count, error))]
    }
}
