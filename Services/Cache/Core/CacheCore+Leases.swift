// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import RefreshRules
import WidgetSchema

/// An entry of the queue of lease expiries; the entry with the earliest time sorts first.
struct LeaseExpiry: Comparable, Sendable {
    var at: Instant
    var source: SourceID
    var lease: LeaseID

    static func < (left: LeaseExpiry, right: LeaseExpiry) -> Bool {
        (left.at, left.source) < (right.at, right.source)
    }
}

/// A lease request that waits for its answer.
struct ParkedLeaseRequest: Sendable {
    var requester: RequesterID
    var requestID: String
    var slots: Int
    /// The version of the fetcher's parser; nil if the request does not contain it.
    var parserVersion: Int?
    /// The ids of the leases to report in ``LeaseAnswer/open``.
    ///
    /// The fetcher has published the outcomes of these leases, but the cache has not received the outcomes yet.
    var open: [LeaseID]
    /// The time at which the request is answered even if no lease was granted.
    var until: Instant
    var leases: [Lease] = []
}

/// The ids of requests that were answered recently; the oldest ones are removed first.
struct RecentRequests: Sendable {
    private let capacity: Int
    private var known: Set<String> = []
    private var ring: [String] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    func contains(_ request: String) -> Bool { known.contains(request) }

    mutating func insert(_ request: String) {
        guard capacity > 0, known.insert(request).inserted else { return }
        if ring.count < capacity {
            ring.append(request)
        } else {
            known.remove(ring[oldest])
            ring[oldest] = request
            oldest = (oldest + 1) % capacity
        }
    }
}

/// The sender of a lease request, with the id of the request and the time that the sender waits for the answer.
struct LeaseRequester {
    let id: RequesterID
    let requestID: String
    let timeout: Duration

    /// Creates a requester whose timeout is `deadlineMilliseconds`; a negative value counts as 0.
    init(_ id: RequesterID, requestID: String, deadlineMilliseconds: Int) {
        self.id = id
        self.requestID = requestID
        timeout = .milliseconds(max(deadlineMilliseconds, 0))
    }
}

/// The handling of lease requests and leases.
extension CacheCore {
    /// The number of entries up to which the expiry queue is not cleaned.
    ///
    /// Cleaning removes the entries of ended leases. A longer queue is cleaned if more than half of its entries belong
    /// to ended leases.
    static let maximumUncleanedExpiries = 64

    mutating func lease(_ requester: LeaseRequester, _ request: LeaseRequest, now: Instant) -> [CacheAction] {
        let requestID = requester.requestID
        var actions: [CacheAction] = []
        for id in request.givenBack { actions += takeBack(id, now: now) }
        let reported = Set(request.unacknowledged)
        let open = reported.filter { leasesByID[$0] != nil }.sorted()

        // A request with the same id is a retry, and replaces the waiting one. All other requests of the fetcher are
        // answered now.
        let waitsUntil = parkedRequests.first { $0.requestID == requestID }?.until
        actions += parkedRequests.filter { $0.requestID == requestID }.map { .forgetRequester($0.requester) }
        parkedRequests.removeAll { $0.requestID == requestID }
        actions += endWait(ofOtherRequestsOf: Self.fetcher(of: requestID), now: now)
        let granted = leases(of: requestID, parserVersion: request.parserVersion, now: now)
        if !granted.isEmpty || answeredLeaseRequests.contains(requestID) {
            return actions + [.answerLease(requester.id, LeaseAnswer(leases: granted, open: open))]
        }
        // The fetcher counts a lease from the time of its first request, so a long wait would leave little of a short
        // lease. A retry does not extend the wait.
        let maximumWait = min(limits.leaseParking, limits.leaseDuration / 4, requester.timeout / 2)
        let isReport = request.slots <= 0 || !open.isEmpty || !request.givenBack.isEmpty
        parkedRequests.append(
            ParkedLeaseRequest(
                requester: requester.id,
                requestID: requestID,
                slots: min(max(request.slots, 0), limits.leasesPerAnswer),
                parserVersion: request.parserVersion,
                open: open,
                until: isReport ? now : waitsUntil ?? now.advanced(by: maximumWait)
            )
        )
        return actions
    }

    /// Answers the waiting requests of a fetcher without granting leases, because the fetcher has sent a newer one.
    ///
    /// The newer request itself is not waiting yet, so it is not answered here. The waiting requests are answered even
    /// if the newer request requests no leases.
    private mutating func endWait(ofOtherRequestsOf fetcher: Substring, now: Instant) -> [CacheAction] {
        let superseded = parkedRequests.filter { Self.fetcher(of: $0.requestID) == fetcher }
        guard !superseded.isEmpty else { return [] }
        parkedRequests.removeAll { Self.fetcher(of: $0.requestID) == fetcher }
        return superseded.map { request in
            answeredLeaseRequests.insert(request.requestID)
            return .answerLease(request.requester, LeaseAnswer(leases: [], open: request.open))
        }
    }

    /// Returns the part of a request id that identifies the fetcher's process: the text before the last hyphen.
    private static func fetcher(of requestID: String) -> Substring {
        requestID[..<(requestID.lastIndex(of: "-") ?? requestID.endIndex)]
    }

    /// Grants leases for the due sources, one to each waiting request in turn.
    ///
    /// Then answers the requests that got leases or have waited long enough.
    mutating func serveLeaseRequests(now: Instant) -> [CacheAction] {
        guard !parkedRequests.isEmpty else { return [] }
        var actions: [CacheAction] = []
        var turn = 0
        while let index = nextRequestWithFreeSlot(from: turn), let source = schedule.take(at: now) {
            guard let (lease, writes) = grant(source, to: parkedRequests[index], now: now) else { continue }
            parkedRequests[index].leases.append(lease)
            actions += writes
            turn = (index + 1) % parkedRequests.count
        }
        for request in parkedRequests where !request.leases.isEmpty || request.until <= now {
            answeredLeaseRequests.insert(request.requestID)
            actions.append(.answerLease(request.requester, LeaseAnswer(leases: request.leases, open: request.open)))
        }
        parkedRequests.removeAll { !$0.leases.isEmpty || $0.until <= now }
        return actions
    }

    /// Sets the expiry of all stored leases to one lease duration from now, if this process took over as a standby.
    ///
    /// The stored expiry times can be times of another machine's clock, so the remaining times are unknown. In the
    /// worst case, a fetcher still uses its lease for the whole duration.
    mutating func extendLeases(now: Instant) -> [CacheAction] {
        guard state.hasForeignLeases else { return [] }
        state.hasForeignLeases = false
        let end = now.advanced(by: limits.leaseDuration)
        var actions: [CacheAction] = []
        for (source, lease) in state.leases.sorted(by: { $0.key < $1.key }) {
            var lease = lease
            lease.expires = end
            state.leases[source] = lease
            leaseExpiries.insert(LeaseExpiry(at: end, source: source, lease: lease.id))
            actions.append(.saveLease(source, lease))
        }
        return actions
    }

    private func nextRequestWithFreeSlot(from start: Int) -> Int? {
        let count = parkedRequests.count
        return (0..<count).lazy.map { (start + $0) % count }
            .first { self.parkedRequests[$0].leases.count < self.parkedRequests[$0].slots }
    }

    private mutating func grant(
        _ source: SourceID,
        to request: ParkedLeaseRequest,
        now: Instant
    ) -> (Lease, [CacheAction])? {
        guard sources[source] != nil, state.sources[source] != nil else { return nil }
        leaseCounter += 1
        guard let id = LeaseID(rawValue: "\(nonce)-\(leaseCounter)") else {
            preconditionFailure("internal error: the generated lease id is invalid")
        }
        let record = LeaseRecord(
            id: id,
            request: request.requestID,
            expires: now.advanced(by: limits.leaseDuration),
            host: host(of: source),
            asksConfiguredAddress: state.sources[source]?.asksConfiguredAddress ?? false
        )
        endLease(of: source)
        state.leases[source] = record
        leasesByID[id] = source
        announcements.sources.insert(source)
        leasesByRequest[request.requestID, default: []].insert(source)
        leaseExpiries.insert(LeaseExpiry(at: record.expires, source: source, lease: id))
        var actions: [CacheAction] = [.saveLease(source, record), .count(.leases)]
        if limits.hostSpacing > .zero, !record.host.isEmpty {
            actions.append(saveHost(record.host))
        }
        return lease(record, of: source, parserVersion: request.parserVersion, now: now).map { ($0, actions) }
    }

    /// Returns the leases that were granted to the lease request with this id, and have neither ended nor expired.
    ///
    /// A lease contains validators and a body digest only if `parserVersion` is the version of the parser that made the
    /// stored contents of the source.
    private func leases(of requestID: String, parserVersion: Int?, now: Instant) -> [Lease] {
        leasesByRequest[requestID, default: []].sorted().compactMap { source in
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
        leasesByID[lease.id] = nil
        leasesByRequest[lease.request]?.remove(source)
        if leasesByRequest[lease.request]?.isEmpty == true { leasesByRequest[lease.request] = nil }
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
        let url = asksConfigured ? plan.request.url : known.location ?? plan.request.url
        let isWithoutHTTP2 = schedule.record(of: record.host).avoidsHTTP2(at: now)
        return Lease(
            id: record.id,
            source: source,
            url: url,
            headers: plan.request.sentHeaders.sendable(to: url, configuredFor: plan.request.url),
            allowPrivateNetworks: plan.request.allowPrivateNetworks,
            validators: isTrusted ? known.validators : Validators(),
            bodyDigest: isComparable ? known.bodyDigest : nil,
            parsings: plan.parsings,
            mayFollowPages: known.mayFollowPages(atConfiguredAddress: asksConfigured) ? true : nil,
            avoidsHTTP2: isWithoutHTTP2 ? true : nil,
            durationMilliseconds: Int(limits.leaseDuration.wholeMilliseconds)
        )
    }

    private mutating func takeBack(_ id: LeaseID, now: Instant) -> [CacheAction] {
        guard let source = leasesByID[id] else { return [] }
        endLease(of: source)
        schedule.finish(source, nextDue: state.sources[source]?.nextAttempt ?? now, at: now)
        return [.endLease(source), .count(.returnedLeases)] + forgetIfUnwanted(source)
    }

    /// Rebuilds the expiry queue when most of its entries belong to leases that have ended.
    ///
    /// Otherwise, after a burst of fetches, these entries would use memory until their expiry times, and would wake the
    /// service at those times.
    private mutating func forgetEndedExpiries() {
        guard leaseExpiries.count > Self.maximumUncleanedExpiries, leaseExpiries.count > 2 * state.leases.count else {
            return
        }
        leaseExpiries = Heap()
        for (source, lease) in state.leases {
            leaseExpiries.insert(LeaseExpiry(at: lease.expires, source: source, lease: lease.id))
        }
    }

    /// Ends expired leases and delays the next fetch of their sources; see `quarantine(afterLeases:)`.
    mutating func expireLeases(now: Instant) -> [CacheAction] {
        var actions: [CacheAction] = []
        while let expiry = leaseExpiries.first, expiry.at <= now {
            _ = leaseExpiries.removeFirst()
            // A lease whose end was moved has another entry for its new end.
            guard let lease = state.leases[expiry.source], lease.id == expiry.lease, lease.expires <= now else {
                continue
            }
            endLease(of: expiry.source)
            actions += [.endLease(expiry.source), .count(.expiredLeases)]
            guard sources[expiry.source] != nil, var record = state.sources[expiry.source] else {
                actions += forgetIfUnwanted(expiry.source)
                continue
            }
            record.abandonedLeases += 1
            let pause = quarantine(afterLeases: record.abandonedLeases)
            record.nextAttempt = max(record.nextAttempt, now.advanced(by: pause))
            // A configured address whose attempts never end must not keep the source from its present address.
            if lease.asksConfiguredAddress { (record.configuredAttempt, record.doubtsLocation) = (now, false) }
            actions.append(save(record, of: expiry.source))
            schedule.finish(expiry.source, host: host(of: expiry.source), nextDue: record.nextAttempt, at: now)
            actions += reportQuarantine(of: expiry.source)
            if pause > .zero { actions += endRefreshing(of: expiry.source, now: now) }
        }
        return actions
    }
}
