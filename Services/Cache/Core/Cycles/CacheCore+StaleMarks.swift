// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// The stale marks: on panels, content that was not confirmed for ``WidgetPlan/staleAfter`` says since when.
///
/// A cycle contains the time of the mark (``Refreshed/staleAt``), and a clock cycle at that time draws it. No attempt makes a
/// cycle for the mark, and no fetch is planned for it. The first success removes it.
extension CacheCore {
    /// The time from which a widget's panels mark its content as stale, and the last success, which they show with it.
    struct StaleMark {
        var at: Instant
        var since: Instant
    }

    /// Returns the mark of a widget; nil if it has no panel or no content, if its content is never stale, if no success is
    /// known, or if its source is fetched when it is shown and no wake was missed.
    ///
    /// `record` has the success after a cycle, and the mark of the cycle before it.
    func staleMark(of id: WidgetID, _ record: WidgetRecord) -> StaleMark? {
        guard record.content != nil, !record.isRemoved, record.displays.contains(where: { $0.family == .panel }),
            let plan = plan.widgets[id], let staleAfter = plan.staleAfter,
            let success = record.lastSuccess
        else { return nil }
        let start =
            sources.isFetchedWhenShown(plan.source.id) ? missedWake(plan, success) : success.countsFrom ?? success.at
        guard let at = start?.advanced(by: staleAfter) else { return nil }
        return StaleMark(at: record.showsStaleMark ? at : max(at, staleMarkGrace.end), since: success.at)
    }

    /// Returns the time at which a clock cycle must draw or remove a widget's mark; nil if time alone does not change it.
    func staleMarkDue(of id: WidgetID, _ record: WidgetRecord, now: Instant) -> Instant? {
        let mark = staleMark(of: id, record)
        let isDue = mark.map { $0.at <= now } ?? false
        // The mark of the last cycle is outdated if the clock was set back, or `staleAfter` was changed.
        if isDue != record.showsStaleMark { return now }
        return isDue ? nil : mark?.at
    }

    /// Returns the last success of the widgets that show a content of a source; nil if there is none.
    ///
    /// `plan` is the plan of a widget that takes this content without a fetch.
    func successOfOthers(_ plan: WidgetPlan) -> LastSuccess? {
        let others = sources[plan.source.id]?.widgets ?? []
        let successes = others.compactMap { other -> LastSuccess? in
            guard let record = state.widgets[other], record.source == plan.source.id,
                record.content?.parsing == plan.parsing.key
            else { return nil }
            return record.lastSuccess
        }
        return successes.max { $0.at < $1.at } ?? successOfEarlierVersion(plan)
    }

    /// Returns the last success of a widget by the record of its source, which every version has stored; nil if it is
    /// unknown.
    ///
    /// It is known if the last attempt succeeded. Otherwise, it is known only if each success brings the document, that is,
    /// if the origin sends no validators: the time of an answer 304 was not stored.
    private func successOfEarlierVersion(_ plan: WidgetPlan) -> LastSuccess? {
        guard let source = state.sources[plan.source.id], source.contents[plan.parsing.key] != nil else { return nil }
        let success =
            source.failures == 0 ? source.lastAttempt : source.validators == Validators() ? source.fullAnswer : nil
        return success.map { LastSuccess(at: $0) }
    }

    /// Corrects successes in the future, because the clock was set back after they were stored.
    mutating func clampSuccesses(now: Instant) -> CacheStep {
        var step = CacheStep()
        for (id, record) in state.widgets.inOrder {
            guard let success = record.lastSuccess, success.at > now else { continue }
            var record = record
            record.lastSuccess = success.clamped(to: now)
            state.widgets[id] = record
            step.writes.append(.saveWidget(id, record))
        }
        return step
    }

    /// Completes the records of an earlier version, which knew no stale marks.
    ///
    /// What is added is stored with the next cycle of the widget.
    mutating func completeRecords() {
        for (id, record) in state.widgets.inOrder
        where !record.isRemoved && record.lastSuccess == nil && record.content != nil {
            guard let success = plan.widgets[id].flatMap({ successOfEarlierVersion($0) }) else { continue }
            state.widgets[id]?.lastSuccess = success
        }
    }

    /// Notices a time in which the process did not run, and moves the marks that would come at its end.
    mutating func noteTick(now: Instant) {
        guard staleMarkGrace.tick(limits.staleMarkGrace, now: now) else { return }
        for (id, record) in state.widgets.inOrder where record.staleAt != nil || clockCycles.due[id] != nil {
            scheduleClock(of: id, now: now)
        }
    }
}
