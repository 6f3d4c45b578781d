// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import WidgetSchema

/// The sources that are fetched when they are shown: just before the time at which a panel may wake.
///
/// Such a source is planned like any other until it has been read once, and if a command demands it. Otherwise, its attempt
/// begins at the wanted time less the lead, but not before `nextAttempt`, which is the earliest time that its origin,
/// its back-off and its minimum interval allow. Without a wanted time, the source rests.
extension SourceRecord {
    /// The number of latencies from which the lead is determined.
    static let keptLatencies = 20
    /// The part of the attempts that end before the wanted time: 95 in 100.
    private static let percentile = 95

    /// Records the time from the planned beginning of an attempt, after any pause of the host, to its outcome.
    mutating func noteLatency(_ latency: Duration) {
        let known = latencies ?? []
        latencies = Array(known.suffix(Self.keptLatencies - 1)) + [Int(max(0, latency.wholeMilliseconds))]
    }

    /// The 95th percentile of the recent latencies, which contain the queue of the host; nil if none is known.
    var usualLatency: Duration? {
        guard let latencies, !latencies.isEmpty else { return nil }
        let rank = (latencies.count * Self.percentile + 99) / 100
        return .milliseconds(latencies.sorted()[rank - 1])
    }

    /// Records the outcome of an attempt that was not a failure; `lead` is that with which it was planned.
    ///
    /// The wanted time is fulfilled if the attempt was made for it, or if no further attempt is allowed before it.
    mutating func noteShownContent(lead: Duration, now: Instant) {
        missedAt = nil
        guard let wanted = wantedAt, nextAttempt > wanted || now >= wanted.advanced(by: .zero - lead) else { return }
        wantedAt = nil
    }
}

extension CacheCore {
    /// Returns the time of a source's next attempt; nil if it rests.
    ///
    /// A source that is permanently gone has one only if a command has requested it.
    func plannedAttempt(of source: SourceID, _ record: SourceRecord) -> Instant? {
        guard waitsToBeShown(source, record) else { return record.nextAttempt }
        guard let wanted = record.wantedAt else { return nil }
        let due = max(record.nextAttempt, wanted.advanced(by: .zero - lead(of: record)))
        return due <= wanted.advanced(by: limits.wantedFor) ? due : nil
    }

    /// Returns whether a source is fetched only before it is shown: its interval says so, it has been read, and no command
    /// demands it.
    func waitsToBeShown(_ source: SourceID, _ record: SourceRecord) -> Bool {
        sources.isFetchedWhenShown(source) && record.hasBeenRead && !record.isDemanded
    }

    /// Returns the time before a wanted time at which an attempt begins.
    func lead(of record: SourceRecord) -> Duration {
        min(record.usualLatency.map { $0 + limits.leadReserve } ?? limits.firstLead, limits.maximumLead)
    }

    /// Schedules the next attempt of a source by its record, which must be stored in `state`.
    mutating func scheduleNext(of source: SourceID, _ record: SourceRecord) {
        schedule.schedule(source, host: host(of: source), at: plannedAttempt(of: source, record))
    }

    /// Ends the attempt of a source, and schedules its next one by its record.
    mutating func finishAttempt(of source: SourceID, _ record: SourceRecord, now: Instant) {
        schedule.finish(source, host: host(of: source), nextDue: plannedAttempt(of: source, record), at: now)
    }

    /// Demands an attempt as soon as it is allowed, even if the source rests.
    func demand(_ record: inout SourceRecord, of source: SourceID) {
        if sources.isFetchedWhenShown(source) { record.isDemanded = true }
    }

    // MARK: Requests

    /// Stores the time at which somebody may look at widgets, for each of their sources that is fetched then.
    mutating func shown(_ requester: RequesterID, _ request: ShownRequest, now: Instant) -> CacheStep {
        guard request.widgets.count <= ShownRequest.maximumWidgets,
            request.at <= now.advanced(by: ShownRequest.longestNotice)
        else {
            let hours = ShownRequest.longestNotice.wholeMilliseconds / 3_600_000
            let text =
                "A request names at most \(ShownRequest.maximumWidgets) widgets and a time within \(hours) hours."
            return CacheStep(effects: [.answerError(requester, RequestError(.refused, text))])
        }
        var bySource: [SourceID: [WidgetID]] = [:]
        for widget in Set(request.widgets) {
            guard let source = plan.widgets[widget]?.source.id, sources.isFetchedWhenShown(source) else { continue }
            bySource[source, default: []].append(widget)
        }
        var step = CacheStep()
        var wanted: [WidgetID] = []
        for (source, widgets) in bySource.sorted(by: { $0.key < $1.key }) {
            guard var record = state.sources[source], want(&record, at: request.at, now: now) else { continue }
            wanted += widgets
            guard record != state.sources[source] else { continue }
            step.writes.append(save(record, of: source))
            if state.leases[source] == nil { scheduleNext(of: source, record) }
            scheduleMarks(of: source, now: now)
        }
        step.effects.append(.answerShown(requester, ShownAnswer(wanted: wanted.sorted())))
        return step
    }

    /// Adds a wanted time to a record; returns false if there is nothing to be fetched for it.
    private func want(_ record: inout SourceRecord, at instant: Instant, now: Instant) -> Bool {
        guard record.goneSince == nil, instant.advanced(by: limits.wantedFor) >= now else { return false }
        if record.failures == 0, record.hasBeenRead, let last = record.lastAttempt {
            // The content cannot be newer then, or has just been fetched for this time.
            let begin = instant.advanced(by: .zero - lead(of: record))
            guard record.nextAttempt <= instant, last < begin else { return false }
        }
        if let known = record.wantedAt, known > now {
            record.wantedAt = min(known, instant)
        } else {
            record.missedAt = record.missedAt ?? record.wantedAt
            record.wantedAt = instant
        }
        return true
    }

    /// Returns whether a source is to be shown only, but no wake is known, or the last one is too long ago.
    func isVoid(_ record: SourceRecord, of source: SourceID, now: Instant) -> Bool {
        guard waitsToBeShown(source, record) else { return false }
        return record.wantedAt.map { now > $0.advanced(by: limits.wantedFor) } ?? true
    }

    /// Lets a source rest that has just been taken from the schedule, if its wanted time is too long ago; returns nil if the
    /// source is to be fetched.
    mutating func restIfVoid(_ source: SourceID, now: Instant) -> CacheStep? {
        guard var record = state.sources[source], isVoid(record, of: source, now: now) else { return nil }
        record.missedAt = record.missedAt ?? record.wantedAt
        record.wantedAt = nil
        let step = record == state.sources[source] ? CacheStep() : CacheStep(writes: [save(record, of: source)])
        announcements.sources.insert(source)
        schedule.finish(source, nextDue: nil, at: now)
        return step
    }

    // MARK: Stale marks

    /// Returns the time from which the content of a widget can become stale although its source is fetched when it is shown:
    /// the first wanted time without a success, or the last success if the last document was of no use for the widget.
    func missedWake(_ plan: WidgetPlan, _ success: LastSuccess) -> Instant? {
        guard let source = state.sources[plan.source.id] else { return nil }
        return source.missedAt ?? source.wantedAt ?? (source.rejected?[plan.parsing.key] == nil ? nil : success.at)
    }

    /// Schedules the marks of a source's widgets again, because the wanted time has changed.
    mutating func scheduleMarks(of source: SourceID, now: Instant) {
        for widget in sources[source]?.widgets ?? [] { scheduleClock(of: widget, now: now) }
    }
}
