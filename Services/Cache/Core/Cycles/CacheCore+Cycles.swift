// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import WidgetSchema

/// The cycles: a sequence number and an event for each change of a widget.
extension CacheCore {
    /// Makes the next cycle of a widget.
    ///
    /// `change` changes the widget's record first; then the new content in `input`, if any, is stored in the record.
    mutating func cycle(
        _ id: WidgetID,
        _ input: CycleInput,
        now: Instant,
        _ change: (inout WidgetRecord) -> Void = { _ in }
    ) -> CacheStep {
        guard var record = state.widgets[id] else { return CacheStep() }
        // If the widget's last event is still to be published again, it is published before the new one, so that there
        // is no gap.
        var step = CacheStep(effects: unpublished.remove(id) ? [.republishLast(of: id, record)] : [])
        let first = record.head.next
        let above = input.above ?? (record.head == .zero ? .zero : nil)
        let sequence = above.map { max(first, $0.next, SequenceNumber(UInt64(max(now.milliseconds, 1)))) } ?? first
        guard let range = SequenceRange(first: first, sequence: sequence) else { return CacheStep() }
        change(&record)
        if let content = input.content, let parsing = input.parsing {
            record.content = ContentReference(parsing: parsing.key, digest: content.digest)
            record.contentSequence = sequence
            record.contentDate = content.date
            record.keys = content.keys
            record.interaction.settle(among: content.keys)
        } else if input.above != nil, record.content != nil {
            // Consumers may have another content, so this cycle publishes the widget's content again.
            record.contentSequence = sequence
        }
        record.head = sequence
        let mark = staleMark(of: id, record)
        (record.staleAt, record.committed) = (mark?.at, now)
        let dependsOnTime = mark != nil || VisibleChange.dependOnDay(record.definition, record.displays)
        let event = Event(
            .refreshed(id),
            widget: id,
            range: range,
            time: now,
            data: Refreshed(
                cause: input.cause,
                outcome: input.outcome,
                failure: record.failure,
                instant: now,
                displays: record.displays,
                definition: record.definition,
                interaction: record.interaction,
                contentSequence: record.contentSequence,
                content: record.content,
                hasContent: record.hasContent,
                contentDate: record.contentDate,
                isRefreshing: record.content == nil && record.isRefreshing ? true : nil,
                isPushed: plan.widgets[id]?.source.isPushed == true ? true : nil,
                blockedUntil: input.blockedUntil,
                isMissing: record.content == nil && state.sources[record.source]?.isMissing == true ? true : nil,
                lastSuccess: mark?.since,
                staleAt: mark?.at,
                times: CycleTimes(answered: input.answered, committed: now)
            )
        )
        let new: NewCycle
        do throws(WireError) {
            new = NewCycle(widget: id, range: range, event: event, bytes: try WireJSON.encode(event))
        } catch {
            step.effects.append(.reportUnwritable(id, error))
            return step
        }
        state.widgets[id] = record
        if dependsOnTime || clockCycles.due[id] != nil { scheduleClock(of: id, now: now) }
        heads.set(Head(sequence: sequence), of: id)
        step.writes.append(.keep(new, record))
        step.effects += [.publish(new, content: input.bytes), .count(.cycles)]
        return step
    }
}
