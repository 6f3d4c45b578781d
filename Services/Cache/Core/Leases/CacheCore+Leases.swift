// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import OriginRules
import ServiceEngine
import WidgetSchema

/// The handling of lease requests and leases.
extension CacheCore {
    /// The number of entries up to which the expiry queue is not cleaned.
    ///
    /// Cleaning removes the entries of ended leases. A longer queue is cleaned if more than half of its entries belong
    /// to ended leases.
    static let maximumUncleanedExpiries = 64

    mutating func lease(_ requester: LeaseRequester, _ request: LeaseRequest, now: Instant) -> CacheStep {
        let requestID = requester.requestID
        var step = CacheStep()
        for id in request.givenBack { step += takeBack(id, now: now) }
        let reported = Set(request.unacknowledged)
        let open = reported.filter { leases.byID[$0] != nil }.sorted()

        // A request with the same id is a retry, and replaces the waiting one. All other requests of the fetcher are
        // answered now.
        let waitsUntil = leases.parked.first { $0.requestID == requestID }?.until
        step.effects += leases.parked.filter { $0.requestID == requestID }.map { .forgetRequester($0.requester) }
        leases.parked.removeAll { $0.requestID == requestID }
        step += endWait(ofOtherRequestsOf: Self.fetcher(of: requestID), now: now)
        let granted = grantedLeases(to: requestID, parserVersion: request.parserVersion, now: now)
        if !granted.isEmpty || leases.answered.contains(requestID) {
            step.effects.append(.answerLease(requester.id, LeaseAnswer(leases: granted, open: open)))
            return step
        }
        // The fetcher counts a lease from the time of its first request, so a long wait would leave little of a short
        // lease. A retry does not extend the wait.
        let maximumWait = min(limits.leaseParking, limits.leaseDuration / 4, requester.timeout / 2)
        let isReport = request.slots <= 0 || !open.isEmpty || !request.givenBack.isEmpty
        leases.parked.append(
            ParkedLeaseRequest(
                requester: requester.id,
                requestID: requestID,
                slots: min(max(request.slots, 0), limits.leasesPerAnswer),
                parserVersion: request.parserVersion,
                open: open,
                until: isReport ? now : waitsUntil ?? now.advanced(by: maximumWait)
            )
        )
        return step
    }

    /// Answers the waiting requests of a fetcher without granting leases, because the fetcher has sent a newer one.
    ///
    /// The newer request itself is not waiting yet, so it is not answered here. The waiting requests are answered even
    /// if the newer request requests no leases.
    private mutating func endWait(ofOtherRequestsOf fetcher: Substring, now: Instant) -> CacheStep {
        let superseded = leases.parked.filter { Self.fetcher(of: $0.requestID) == fetcher }
        guard !superseded.isEmpty else { return CacheStep() }
        leases.parked.removeAll { Self.fetcher(of: $0.requestID) == fetcher }
        for request in superseded { leases.answered.insert(request.requestID) }
        return CacheStep(
            effects: superseded.map { .answerLease($0.requester, LeaseAnswer(leases: [], open: $0.open)) }
        )
    }

    /// Returns the part of a request id that identifies the fetcher's process: the text before the last hyphen.
    private static func fetcher(of requestID: String) -> Substring {
        requestID[..<(requestID.lastIndex(of: "-") ?? requestID.endIndex)]
    }

    /// Grants leases for the due sources, one to each waiting request in turn.
    ///
    /// Then answers the requests that got leases or have waited long enough.
    mutating func serveLeaseRequests(now: Instant) -> CacheStep {
        guard !leases.parked.isEmpty else { return CacheStep() }
        var step = CacheStep()
        var turn = 0
        while let index = nextRequestWithFreeSlot(from: turn), let source = schedule.take(at: now) {
            if let resting = restIfVoid(source, now: now) {
                step += resting
                continue
            }
            guard let (lease, granting) = grant(source, to: leases.parked[index], now: now) else { continue }
            leases.parked[index].leases.append(lease)
            step += granting
            turn = (index + 1) % leases.parked.count
        }
        for request in leases.parked where !request.leases.isEmpty || request.until <= now {
            leases.answered.insert(request.requestID)
            step.effects.append(
                .answerLease(request.requester, LeaseAnswer(leases: request.leases, open: request.open))
            )
        }
        leases.parked.removeAll { !$0.leases.isEmpty || $0.until <= now }
        return step
    }

    /// Sets the expiry of all stored leases to one lease duration from now, if this process took over as a standby.
    ///
    /// The stored expiry times can be times of another machine's clock, so the remaining times are unknown. In the
    /// worst case, a fetcher still uses its lease for the whole duration.
    mutating func extendLeases(now: Instant) -> CacheStep {
        guard state.hasForeignLeases else { return CacheStep() }
        state.hasForeignLeases = false
        let end = now.advanced(by: limits.leaseDuration)
        var step = CacheStep()
        for (source, lease) in state.leases.sorted(by: { $0.key < $1.key }) {
            step.writes.append(moveExpiry(of: lease, of: source, to: end))
        }
        return step
    }

    /// Makes a lease expire at another time.
    mutating func moveExpiry(of lease: LeaseRecord, of source: SourceID, to end: Instant) -> CacheWrite {
        var lease = lease
        lease.expires = end
        // A latency cannot be measured by a clock that was changed.
        lease.plannedStart = nil
        state.leases[source] = lease
        leases.expiries.insert(LeaseExpiry(at: end, source: source, lease: lease.id))
        return .saveLease(source, lease)
    }

    private func nextRequestWithFreeSlot(from start: Int) -> Int? {
        let count = leases.parked.count
        return (0..<count).lazy.map { (start + $0) % count }
            .first { self.leases.parked[$0].leases.count < self.leases.parked[$0].slots }
    }

    private mutating func grant(
        _ source: SourceID,
        to request: ParkedLeaseRequest,
        now: Instant
    ) -> (Lease, CacheStep)? {
        guard sources[source] != nil, state.sources[source] != nil else { return nil }
        leases.granted += 1
        guard let id = LeaseID(rawValue: "\(nonce)-\(leases.granted)") else {
            preconditionFailure("internal error: the generated lease id is invalid")
        }
        var record = LeaseRecord(
            id: id,
            request: request.requestID,
            expires: now.advanced(by: limits.leaseDuration),
            host: host(of: source),
            asksConfiguredAddress: state.sources[source]?.asksConfiguredAddress ?? false
        )
        // Only attempts for a wanted time tell how long one takes: the first ones of many sources wait for each other.
        if let known = state.sources[source], waitsToBeShown(source, known),
            let due = plannedAttempt(of: source, known)
        {
            record.plannedStart = max(due, schedule.record(of: record.host).blockedUntil ?? due)
        }
        endLease(of: source)
        state.leases[source] = record
        leases.byID[id] = source
        announcements.sources.insert(source)
        leases.byRequest[request.requestID, default: []].insert(source)
        leases.expiries.insert(LeaseExpiry(at: record.expires, source: source, lease: id))
        var step = CacheStep(writes: [.saveLease(source, record)], effects: [.count(.leases)])
        if limits.hostSpacing > .zero, !record.host.isEmpty {
            step.writes.append(saveHost(record.host))
        }
        return lease(record, of: source, parserVersion: request.parserVersion, now: now).map { ($0, step) }
    }

    /// Returns the leases that were granted to the lease request with this id, and have neither ended nor expired.
    ///
    /// A lease contains validators and a body digest only if `parserVersion` is the version of the parser that made the
    /// stored contents of the source.
    private func grantedLeases(to requestID: String, parserVersion: Int?, now: Instant) -> [Lease] {
        leases.byRequest[requestID, default: []].sorted().compactMap { source in
            guard let record = state.leases[source], record.expires > now else { return nil }
            // The fetcher counts from its first request, so the duration is the same in each answer.
            return lease(record, of: source, parserVersion: parserVersion, now: now)
        }
    }

    /// Removes the lease of a source from the core's state, if the source has one.
    mutating func endLease(of source: SourceID) {
        guard let lease = state.leases.removeValue(forKey: source) else { return }
        announcements.sources.insert(source)
        forgetEndedExpiries()
        leases.byID[lease.id] = nil
        leases.byRequest[lease.request]?.remove(source)
        if leases.byRequest[lease.request]?.isEmpty == true { leases.byRequest[lease.request] = nil }
    }

    private func lease(_ record: LeaseRecord, of source: SourceID, parserVersion: Int?, now: Instant) -> Lease? {
        guard let plan = sources[source], let known = state.sources[source] else { return nil }
        // Validators are sent only if the store has all contents that belong to them, made by the same version of the
        // parser. Otherwise, the origin could answer 304, and the missing contents would never arrive.
        let isComplete = plan.parsings.allSatisfy(known.knows) && known.parserVersion == parserVersion
        let age: Duration = known.fullAnswer.map { .milliseconds(now.milliseconds(since: $0)) } ?? .zero
        // The validators and the digest belong to the answer of the source's present address.
        let asksConfigured = record.asksConfiguredAddress || known.location == nil
        let isComparable = isComplete && !record.asksConfiguredAddress
        let isTrusted = isComparable && age < limits.validatorLifetime
        let url = asksConfigured ? plan.address.url : known.location ?? plan.address.url
        let isWithoutHTTP2 = schedule.record(of: record.host).avoidsHTTP2(at: now)
        return Lease(
            id: record.id,
            source: source,
            url: url,
            headers: plan.address.sentHeaders.sendable(to: url, configuredFor: plan.address.url),
            allowPrivateNetworks: plan.address.allowPrivateNetworks,
            validators: isTrusted ? known.validators : Validators(),
            bodyDigest: isComparable ? known.bodyDigest : nil,
            parsings: plan.parsings,
            mayFollowPages: known.mayFollowPages(atConfiguredAddress: asksConfigured) ? true : nil,
            avoidsHTTP2: isWithoutHTTP2 ? true : nil,
            durationMilliseconds: Int(limits.leaseDuration.wholeMilliseconds)
        )
    }

    private mutating func takeBack(_ id: LeaseID, now: Instant) -> CacheStep {
        guard let source = leases.byID[id] else { return CacheStep() }
        endLease(of: source)
        var step = CacheStep(writes: [.endLease(source)], effects: [.count(.returnedLeases)])
        if let record = state.sources[source] {
            finishAttempt(of: source, record, now: now)
            // A fetcher also returns a lease because the host has asked for a pause, for which the next fetch waits.
            if schedule.isPaused(host(of: source), at: now) { step += endRefreshing(of: source, now: now) }
        } else {
            schedule.finish(source, nextDue: now, at: now)
        }
        return step + forgetIfUnwanted(source)
    }

    /// Rebuilds the expiry queue when most of its entries belong to leases that have ended.
    ///
    /// Otherwise, after a burst of fetches, these entries would use memory until their expiry times, and would wake the
    /// service at those times.
    private mutating func forgetEndedExpiries() {
        guard leases.expiries.count > Self.maximumUncleanedExpiries, leases.expiries.count > 2 * state.leases.count
        else { return }
        leases.expiries = Heap()
        for (source, lease) in state.leases {
            leases.expiries.insert(LeaseExpiry(at: lease.expires, source: source, lease: lease.id))
        }
    }

    /// Ends expired leases and delays the next fetch of their sources; see `quarantine(afterLeases:)`.
    mutating func expireLeases(now: Instant) -> CacheStep {
        var step = CacheStep()
        while let expiry = leases.expiries.first, expiry.at <= now {
            _ = leases.expiries.removeFirst()
            // A lease whose end was moved has another entry for its new end.
            guard let lease = state.leases[expiry.source], lease.id == expiry.lease, lease.expires <= now else {
                continue
            }
            endLease(of: expiry.source)
            step.writes.append(.endLease(expiry.source))
            step.effects.append(.count(.expiredLeases))
            guard sources[expiry.source] != nil, var record = state.sources[expiry.source] else {
                step += forgetIfUnwanted(expiry.source)
                continue
            }
            record.abandonedLeases += 1
            let pause = quarantine(afterLeases: record.abandonedLeases)
            // A file that changed meanwhile is another document, which is not suspected.
            let isChanged = changedWhileRead.remove(expiry.source) != nil
            record.nextAttempt = isChanged ? now : max(record.nextAttempt, now.advanced(by: pause))
            // A configured address whose attempts never end must not keep the source from its present address.
            if lease.asksConfiguredAddress { (record.configuredAttempt, record.doubtsLocation) = (now, false) }
            step.writes.append(save(record, of: expiry.source))
            finishAttempt(of: expiry.source, record, now: now)
            step += reportQuarantine(of: expiry.source)
            if record.nextAttempt > now { step += endRefreshing(of: expiry.source, now: now) }
        }
        return step
    }
}
