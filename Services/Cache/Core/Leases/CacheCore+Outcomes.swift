// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import OriginRules
import ServiceEngine
import WidgetSchema

/// The handling of the outcomes of leases.
extension CacheCore {
    /// Applies the outcome of a lease, and makes a cycle for each widget of the source.
    ///
    /// If the lease has already ended, the outcome is ignored, except for a pause that the host has requested.
    /// `contents` contains the bytes of the fetched contents, by digest.
    mutating func apply(
        _ fetched: Fetched,
        of source: SourceID,
        contents: [ContentDigest: Data],
        now: Instant
    ) -> CacheStep {
        guard let plan = sources[source], var record = state.sources[source] else {
            return applyUnwanted(fetched, of: source, now: now)
        }
        let lease = state.leases[source].flatMap { $0.id == fetched.lease ? $0 : nil }
        // A redirect may have led to another host, which asked for fewer requests.
        let host = fetched.answeredBy ?? lease?.host ?? self.host(of: source)
        var step = pause(host, fetched, now: now)
        guard let lease else {
            // The outcome of an ended lease is ignored, except for a pause that its host has asked for.
            step.effects.append(.count(.staleOutcomes))
            return step
        }
        endLease(of: source)
        step.writes.append(.endLease(source))
        step.effects.append(.count(.outcomes))
        step += noteHTTP2(after: fetched, of: lease.host, now: now)
        var fetched = fetched
        record.isMissing = fetched.isMissing == true && !record.hasBeenRead
        // A file that has never existed is no failure: the app that writes it has not been started yet.
        if record.isMissing { fetched.failure = nil }
        let isConfigured = record.location == nil || lease.asksConfiguredAddress
        if record.location != nil, isConfigured, fetched.failure != nil {
            return step + keepLocation(of: source, plan, after: fetched, now: now)
        }

        let before = record.contents
        note(fetched, contents: contents, in: &record)
        if fetched.failure == nil { record.noteAddress(in: fetched, isConfigured: isConfigured) }
        if Set(record.contents.values.map(\.digest)) != Set(before.values.map(\.digest)) {
            if record.cadence == nil {
                record.cadence = Cadence(firstChange: now)
            } else {
                record.cadence?.change(at: now)
            }
        }
        record.lastAttempt = now
        record.abandonedLeases = 0
        record.heldUntil = nil
        record.failures = fetched.failure == nil ? 0 : record.failures + 1
        let history = RefreshPolicy.History(
            failures: record.failures,
            advice: record.advice,
            seed: plan.address.id.rawValue,
            hasMoved: !isConfigured
        )
        var next = limits.refresh.nextAttempt(after: fetched, history, plan.intervals, now: now)
        record.notBefore = requestedPause(after: fetched, of: host, now: now)
        record.plannedInterval = plan.intervals.regular
        if let at = next.at, let end = record.notBefore { next.at = max(at, end) }
        if next.at == nil, record.goneSince == nil { step.effects.append(.reportGone(url: plan.address.url)) }
        record.goneSince = next.at == nil ? record.goneSince ?? now : nil
        record.nextAttempt = next.at ?? now
        record.noteAttempt(fetched, isConfigured: isConfigured, now: now)
        if next.at != nil { record.limitWaitForConfiguredAddress(plan.minimumInterval, now: now) }
        if plan.isFetchedWhenShown { note(fetched, lease, ofShown: &record, now: now) }
        let isIncomplete = plan.parsings.contains { !record.knows($0) }
        if fetched.failure == nil, isIncomplete, !record.isMissing {
            // A widget with another parsing was added during this fetch.
            record.nextAttempt = earliestAttempt(of: record, now: now)
            demand(&record, of: source)
        }
        if changedWhileRead.remove(source) != nil {
            record.nextAttempt = now
            record.goneSince = nil
        }
        if record.location != state.sources[source]?.location {
            step.effects.append(.reportLocation(configured: plan.address.url, location: record.location))
        }
        step.writes.append(save(record, of: source))
        step += reportQuarantine(of: source)
        let nextDue = record.goneSince == nil ? plannedAttempt(of: source, record) : nil
        schedule.finish(source, host: self.host(of: source), nextDue: nextDue, at: now)
        let success =
            plan.isFetchedWhenShown
            ? LastSuccess(at: now) : LastSuccess(at: now, nextAttempt: nextDue, interval: plan.intervals.regular)
        var added = 0
        for digest in Set(record.contents.values.map(\.digest)).subtracting(before.values.map(\.digest)).sorted() {
            guard let bytes = contents[digest] else { continue }
            step.writes.append(.storeContent(digest, bytes))
            added += bytes.count
        }

        for widget in plan.widgets {
            guard let parsing = self.plan.widgets[widget]?.parsing else { continue }
            // A body that other widgets of the source can use may be unusable for this one.
            var failure =
                fetched.failure
                ?? record.rejected?[parsing.key].map { message in
                    AttemptFailure(
                        class: .malformed,
                        message: message,
                        explanation: AttemptFailure.unreadable(as: parsing.kind)
                    )
                }
            failure?.nextAttempt = nextDue
            let held = record.contents[parsing.key]
            guard failure != nil || held != nil || record.isMissing else { continue }
            let isNew = failure == nil && held != nil && held?.digest != state.widgets[widget]?.content?.digest
            let input = CycleInput(
                cause: .refresh,
                outcome: record.isMissing ? .fresh : failure == nil ? outcome(of: fetched, isNew: isNew) : .failed,
                content: isNew ? held : nil,
                parsing: parsing,
                bytes: isNew ? held.flatMap { contents[$0.digest] } : nil,
                answered: fetched.answeredAt
            )
            let isSuccess = failure == nil && held != nil
            step += cycle(widget, input, now: now) { record in
                record.failure = failure
                if isSuccess { record.lastSuccess = success }
                record.isRefreshing = false
                record.advanceAsRequested()
            }
            step += finishCommands(on: widget)
        }
        if added > 0 { step.writes.append(.trimContents(source, plan.widgets, added: added)) }
        if plan.isFetchedWhenShown { scheduleMarks(of: source, now: now) }
        return step
    }

    /// Records an outcome of a source that is fetched when it is shown.
    private func note(_ fetched: Fetched, _ lease: LeaseRecord, ofShown record: inout SourceRecord, now: Instant) {
        let lead = self.lead(of: record)
        if let start = lease.plannedStart { record.noteLatency(.milliseconds(now.milliseconds(since: start))) }
        record.isDemanded = false
        if fetched.failure == nil { record.noteShownContent(lead: lead, now: now) }
    }

    /// Ignores the outcome of a source that no widget uses any more, and ends its lease.
    ///
    /// `fetched` is the outcome. If the host requested a pause, the pause takes effect. If `fetched` belongs to an
    /// earlier lease of the source, the current lease does not end.
    private mutating func applyUnwanted(_ fetched: Fetched, of source: SourceID, now: Instant) -> CacheStep {
        let lease = state.leases[source]
        // Without a lease, the host is known only if a redirect led to another one.
        var step = pause(fetched.answeredBy ?? lease?.host ?? "", fetched, now: now)
        step.effects.append(.count(.staleOutcomes))
        guard lease?.id == fetched.lease else { return step }
        endLease(of: source)
        step.writes.append(.endLease(source))
        return step + forgetIfUnwanted(source)
    }

    private func outcome(of fetched: Fetched, isNew: Bool) -> Outcome {
        switch fetched.result {
        case .failed: .failed
        case .content: isNew ? .changed : .sameContent
        case .sameBytes: isNew ? .changed : .sameBytes
        case .notModified: isNew ? .changed : .notModified
        }
    }

    private func note(_ fetched: Fetched, contents: [ContentDigest: Data], in record: inout SourceRecord) {
        switch fetched.result {
        case .failed:
            return
        case .content:
            // Keep only contents of this answer: the others belong to another body, which the validators do not
            // describe.
            record.contents = Dictionary(
                fetched.contents.map { content in
                    let known = record.contents[content.parsing].flatMap { $0.digest == content.digest ? $0 : nil }
                    let held = SourceRecord.StoredContent(
                        digest: content.digest,
                        date: known?.date ?? fetched.answeredAt,
                        keys: known?.keys ?? contents[content.digest].flatMap { Self.keys(of: $0, content.parsing) }
                    )
                    return (content.parsing, held)
                },
                uniquingKeysWith: { first, _ in first }
            )
            record.validators = fetched.validators
            record.bodyDigest = fetched.bodyDigest
            record.fullAnswer = fetched.answeredAt
            record.parserVersion = fetched.parserVersion
            record.advice = fetched.advice
            record.rejected = fetched.rejected.map { rejected in
                Dictionary(rejected.map { ($0.parsing, $0.message) }, uniquingKeysWith: { first, _ in first })
            }
        case .sameBytes:
            record.validators = fetched.validators
            record.fullAnswer = fetched.answeredAt
        case .notModified:
            // RFC 9111, section 4.3.4: a 304 updates the fields that it contains.
            if let tag = fetched.validators.entityTag { record.validators.entityTag = tag }
            if let date = fetched.validators.lastModified { record.validators.lastModified = date }
        }
    }

    /// Returns the keys of the facts in a content; nil if the content is not of kind `keyValue`, or cannot be decoded.
    ///
    /// `bytes` is the JSON of the content. `parsing` identifies the content's parsing, and begins with the kind of the
    /// content.
    private static func keys(of bytes: Data, _ parsing: String) -> [String]? {
        guard parsing.hasPrefix(WidgetKind.keyValue.rawValue) else { return nil }
        return (try? WireJSON.decode(Content.self, from: bytes))?.keys
    }

    /// Records that HTTP/2 failed on a host, so that requests to it use HTTP/1.1 for a day.
    private mutating func noteHTTP2(after fetched: Fetched, of host: String, now: Instant) -> CacheStep {
        guard fetched.failedHTTP2 == true, !host.isEmpty else { return CacheStep() }
        schedule.avoidHTTP2(on: host, until: now.advanced(by: HostRecord.http2Pause))
        return CacheStep(writes: [saveHost(host)])
    }

    /// Returns the end of the pause that an answer of `host` asked for; nil if it asked for none.
    ///
    /// An answer that was no refusal asks only for a pause of its source, such as by a rate limit without remaining
    /// requests.
    private func requestedPause(after fetched: Fetched, of host: String, now: Instant) -> Instant? {
        if fetched.failure?.class == .rateLimited, let end = schedule.record(of: host).blockedUntil { return end }
        return fetched.freshness.retryAfterSeconds.map { seconds in
            now.advanced(by: min(.seconds(seconds), limits.refresh.maximumHostPause))
        }
    }

    private mutating func pause(_ host: String, _ fetched: Fetched, now: Instant) -> CacheStep {
        guard let pause = limits.refresh.hostPause(after: fetched), !host.isEmpty else { return CacheStep() }
        schedule.pause(host, until: now.advanced(by: pause))
        announcePause(of: host)
        return CacheStep(writes: [saveHost(host)], effects: [.count(.hostBlocks)]) + endRefreshing(on: host, now: now)
    }
}
