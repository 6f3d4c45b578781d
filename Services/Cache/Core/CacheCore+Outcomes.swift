// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// What fetchers bring.
extension CacheCore {
    /// Ends a lease with its outcome: one cycle for each widget of the source.
    mutating func apply(
        _ fetched: Fetched,
        of source: SourceID,
        contents: [ContentDigest: Data],
        _ now: Instant
    ) -> [CacheAction] {
        guard let plan = sources[source], var record = state.sources[source] else {
            return [.count(.staleOutcomes)]
        }
        var actions: [CacheAction] = []
        if fetched.failure?.class == .rateLimited { actions += block(plan.request.host, fetched, now) }
        guard let lease = state.leases[source], lease.id == fetched.lease else {
            // A late outcome counts no more, but its host still wants to be left alone.
            return actions + [.count(.staleOutcomes)]
        }
        endLease(of: source)
        actions += [.endLease(source), .count(.outcomes)]

        let before = record.contents
        note(fetched, in: &record)
        record.lastAttempt = now
        record.abandonedLeases = 0
        record.failures = fetched.failure == nil ? 0 : record.failures + 1
        record.nextAttempt = nextAttempt(after: fetched, of: record, plan, now)
        let isIncomplete = plan.parsings.contains { record.contents[$0.key] == nil }
        if fetched.failure == nil, isIncomplete {
            // A widget with another parsing came while this was fetched.
            record.nextAttempt = now
        }
        if let location = record.location, location != state.sources[source]?.location {
            actions.append(.reportLocation(configured: plan.request.url, location: location))
        }
        schedule.finish(source, nextDue: record.nextAttempt, at: now)
        actions.append(save(record, of: source))
        for digest in Set(record.contents.values.map(\.digest)).subtracting(before.values.map(\.digest)).sorted() {
            if let bytes = contents[digest] { actions.append(.storeContent(digest, bytes)) }
        }

        var failure = fetched.failure
        failure?.nextAttempt = record.nextAttempt
        for widget in plan.widgets {
            guard let parsing = self.plan.widgets[widget]?.parsing else { continue }
            let held = record.contents[parsing.key]
            guard failure != nil || held != nil else { continue }
            let isNew = failure == nil && held?.digest != state.widgets[widget]?.content?.digest
            actions += cycle(
                widget,
                cause: .refresh,
                outcome: outcome(of: fetched, isNew: isNew),
                content: isNew ? held : nil,
                parsing: parsing,
                answered: fetched.answeredAt,
                now
            ) { record in
                record.failure = failure
                record.isRefreshing = nil
                if record.movesOn == true { record.interaction.position &+= 1 }
                record.movesOn = nil
            }
            actions += finishCommands(on: widget)
        }
        return actions
    }

    private func outcome(of fetched: Fetched, isNew: Bool) -> Outcome {
        switch fetched.result {
        case .failed: .failed
        case .content: isNew ? .changed : .sameContent
        case .sameBytes: isNew ? .changed : .sameBytes
        case .notModified: isNew ? .changed : .notModified
        }
    }

    private func note(_ fetched: Fetched, in record: inout SourceRecord) {
        switch fetched.result {
        case .failed:
            // What was moved to is gone: the configured address may know better.
            if fetched.failure?.class == .permanent { record.location = nil }
            return
        case .content:
            record.location = fetched.location ?? record.location
            // Contents of this answer only: the others belong to another body, which the validators do not name.
            record.contents = Dictionary(
                fetched.contents.map { content in
                    let known = record.contents[content.parsing]
                    let date = known?.digest == content.digest ? known?.date : nil
                    return (
                        content.parsing, SourceRecord.Held(digest: content.digest, date: date ?? fetched.answeredAt)
                    )
                },
                uniquingKeysWith: { first, _ in first }
            )
            record.validators = fetched.validators
            record.bodyDigest = fetched.bodyDigest
        case .sameBytes:
            record.validators = fetched.validators
        case .notModified:
            // RFC 9111, section 4.3.4: a 304 updates what it names.
            if let tag = fetched.validators.entityTag { record.validators.entityTag = tag }
            if let date = fetched.validators.lastModified { record.validators.lastModified = date }
        }
    }

    // MARK: When to ask again

    private func nextAttempt(
        after fetched: Fetched,
        of record: SourceRecord,
        _ plan: SourcePlan,
        _ now: Instant
    ) -> Instant {
        let pause: Int64
        switch fetched.failure?.class {
        case nil:
            let hint = max(fetched.freshness.lifetimeSeconds ?? 0, fetched.freshness.timeToLiveSeconds ?? 0)
            let bounded = min(Self.milliseconds(hint), limits.maximumFreshness)
            pause = max(plan.intervalMilliseconds, plan.minimumIntervalMilliseconds, bounded)
        case .permanent:
            pause = Self.doubled(
                limits.firstPermanentBackoff,
                record.failures,
                atMost: limits.maximumPermanentBackoff
            )
        case .transient, .malformed, .rateLimited:
            pause = Self.doubled(
                min(plan.minimumIntervalMilliseconds, limits.firstBackoff),
                record.failures,
                atMost: limits.maximumBackoff
            )
        }
        let spread = fetched.failure == nil ? 0 : jitter(pause, plan.request.id, record.failures)
        let due = now.advanced(byMilliseconds: pause + spread)
        guard fetched.failure?.class == .rateLimited,
            let blocked = schedule.record(of: plan.request.host).blockedUntil
        else { return due }
        return max(due, blocked)
    }

    /// Up to a tenth of a pause, another for each source and each failure, so that what failed together does not come
    /// back together.
    private func jitter(_ pause: Int64, _ source: SourceID, _ failures: Int) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(source)\(failures)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return pause / 10 * Int64(hash % 1000) / 1000
    }

    private mutating func block(_ host: String, _ fetched: Fetched, _ now: Instant) -> [CacheAction] {
        let asked = fetched.freshness.retryAfterSeconds.map(Self.milliseconds) ?? limits.defaultHostBlock
        let pause = min(max(asked, 1000), limits.maximumHostBlock)
        schedule.block(host, until: now.advanced(byMilliseconds: pause))
        return [.saveHost(host, schedule.record(of: host)), .count(.hostBlocks)]
    }

    /// `first`, doubled for each repetition after the first.
    static func doubled(_ first: Int64, _ repetitions: Int, atMost limit: Int64) -> Int64 {
        let shift = min(max(repetitions - 1, 0), 32)
        return min(max(first, 1).multipliedReportingOverflow(by: 1 << shift).partialValue, limit)
    }

    private static func milliseconds(_ seconds: Int) -> Int64 {
        Int64(min(max(seconds, 0), 1_000_000_000)) * 1000
    }
}
