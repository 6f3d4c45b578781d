// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import ServiceEngine
import Text
import WidgetSchema

/// Attempts: when they begin, and what follows from their results.
extension DeliveryCore {
    // MARK: Times

    /// Returns the time at which the next attempt of a lane is due; nil if nothing waits, or if an attempt is in flight.
    private func due(_ lane: Lane, of key: LaneKey, now: Instant) -> Instant? {
        guard !lane.isInFlight, let destination = destinations[key.destination], destination.record.gone == nil else {
            return nil
        }
        let blocked = destination.record.blockedUntil ?? now
        let ledger = ledger(of: lane, destination)
        if let message = lane.record.message {
            let next = max(message.nextAttempt, blocked)
            guard let budget = destination.plan.budget, message.mayHaveArrived || message.spent != nil else {
                return next
            }
            // Another attempt after one that may have arrived is another message to those who get it. The entry of one that
            // certainly failed does not count, but the messages that other widgets have sent since do.
            var others = ledger
            if let entry = message.spent { others.refund(entry) }
            return max(next, others.next(budget, isHigh: message.content.isHigh, restored: restored, now: now))
        }
        // Before the missed updates are known, a newer content may be on its way. A content of a restored store may be outdated.
        guard let content = lane.next, isCaughtUp || !wasRestored && (catchUpEnd.map { $0 <= now } ?? true) else {
            return nil
        }
        guard let budget = destination.plan.budget else { return blocked }
        let allowed = ledger.next(budget, isHigh: content.isHigh, restored: restored, now: now)
        return max(allowed, blocked)
    }

    /// Plans the next attempt of a lane.
    mutating func schedule(_ key: LaneKey, now: Instant) {
        guard let lane = lanes[key], !lane.isReady else { return }
        if let due = due(lane, of: key, now: now) {
            if due <= now { makeReady(key) } else if lane.timer != due { wake(key, at: due) }
        } else if lane.hasMore, isCaughtUp, !lane.isInFlight, lane.replay == nil, lane.record.message == nil,
            lane.next == nil
        {
            // Replays are requested with the attempts, at the end of the batch.
            makeReady(key)
        }
    }

    private mutating func makeReady(_ key: LaneKey) {
        let server = server(of: key)
        lanes[key]?.isReady = true
        lanes[key]?.timer = nil
        servers[server, default: Server()].ready.append(key)
        readyServers.insert(server)
    }

    /// Ends the pause of the message of a lane, because the reason for it is gone.
    mutating func endPause(_ key: LaneKey, now: Instant) {
        guard let message = lanes[key]?.record.message, message.nextAttempt > now else { return }
        lanes[key]?.record.message?.nextAttempt = now
        lanes[key]?.record.pauseMilliseconds = 0
        changes.lanes.insert(key)
    }

    mutating func wake(_ key: LaneKey, at time: Instant) {
        lanes[key]?.timer = time
        timers.insert(Timer(at: time, target: .lane(key)))
    }

    mutating func wake(_ server: String, at time: Instant) {
        timers.insert(Timer(at: time, target: .server(server)))
    }

    mutating func passed(_ timer: Timer, now: Instant) {
        switch timer.target {
        case .server(let server): readyServers.insert(server)
        case .lane(let key):
            // The lane may have been planned anew since.
            guard lanes[key]?.timer == timer.at else { return }
            lanes[key]?.timer = nil
            schedule(key, now: now)
        case .ledger(let place): messageExpired(in: place, at: timer.at, now: now)
        case .restore: updateAllSums(now: now)
        }
    }

    func server(of key: LaneKey) -> String { destinations[key.destination]?.plan.server ?? "" }

    // MARK: Beginning

    /// Begins the attempts that are due, as far as the limits allow.
    ///
    /// The servers take turns, so that each has few attempts in flight, and their connections are used again.
    mutating func beginAttempts(_ step: inout Decisions, now: Instant) {
        while inFlight < limits.attempts, let server = readyServers.first {
            readyServers.removeFirst()
            if beginNext(on: server, &step, now: now) {
                readyServers.insert(server)
            } else if let state = servers[server], state.ready.first == nil, state.inFlight == 0,
                state.breaker == CircuitBreaker() || !destinations.values.contains(where: { $0.plan.server == server })
            {
                servers[server] = nil
            }
        }
    }

    /// Begins the next attempt to a server; returns false if none can begin.
    private mutating func beginNext(on server: String, _ step: inout Decisions, now: Instant) -> Bool {
        while let key = servers[server]?.ready.first {
            guard let lane = lanes[key], lane.isReady, self.server(of: key) == server else {
                // The destination was removed, or has moved to another server.
                servers[server]?.ready.removeFirst()
                continue
            }
            if lane.record.message == nil, lane.next == nil {
                servers[server]?.ready.removeFirst()
                lanes[key]?.isReady = false
                replay(key, &step)
                continue
            }
            let attempts = servers[server]?.inFlight ?? 0
            guard attempts < maximumAttempts(of: key.destination) else { return false }
            guard attempts < limits.attempts - inFlight else {
                saturatedServers.insert(server)
                return false
            }
            // Without this check, a probe of the breaker would be spent on a lane that has to wait.
            guard let due = due(lane, of: key, now: now), due <= now else {
                servers[server]?.ready.removeFirst()
                lanes[key]?.isReady = false
                schedule(key, now: now)
                continue
            }
            guard servers[server]?.breaker.admit(now: now) == true else { return false }
            servers[server]?.ready.removeFirst()
            lanes[key]?.isReady = false
            begin(key, on: server, &step, now: now)
            return true
        }
        return false
    }

    /// Returns the maximum number of attempts in flight to the server of a destination.
    private func maximumAttempts(of name: DestinationName) -> Int {
        destinations[name]?.plan.runsProgram == true ? 1 : limits.attemptsPerServer
    }

    private mutating func begin(_ key: LaneKey, on server: String, _ step: inout Decisions, now: Instant) {
        guard var lane = lanes[key], let destination = destinations[key.destination] else { return }
        let plan = destination.plan
        if let message = lane.record.message, !message.mayHaveArrived, plan.mode == .latest,
            var content = lane.record.pending
        {
            // The message certainly did not arrive, and there is something newer to send.
            content.merge(message.content)
            lane.record.message = makeMessage(content, key, plan, now: now)
            lane.record.message?.spent = message.spent
            lane.record.pending = nil
            merged(in: key, &step)
        } else if lane.record.message == nil {
            guard let content = lane.next else { return }
            if lane.record.pending != nil { lane.record.pending = nil } else { lane.queue.removeFirst() }
            lane.record.message = makeMessage(content, key, plan, now: now)
        }
        guard var message = lane.record.message else { return }
        message.attempts += 1
        message.isOpen = true
        if plan.budget != nil {
            changeLedger(of: key, in: &lane) { ledger in
                // The last attempt certainly did not arrive.
                if let entry = message.spent { ledger.refund(entry) }
                message.spent = ledger.spend(now: now)
            }
        }
        if plan.sharesBudget { markCovered(by: key) }
        lane.record.message = message
        let device = deviceIDs[key.destination].flatMap { devices.devices[$0] }
        lane.server = server
        lane.registered = device?.registered
        lane.fingerprint = destination.record.fingerprint
        lanes[key] = lane
        changes.lanes.insert(key)
        inFlight += 1
        servers[server]?.inFlight += 1
        let attempt = DeliveryAttempt(
            message: message.id,
            destination: key.destination,
            subject: key.subject,
            number: message.attempts,
            body: message.body,
            time: now,
            timeout: plan.timeout,
            isHighPriority: message.content.isHigh,
            isState: message.content.isState
        )
        step.effects.append(device.map { .push(key, attempt, $0) } ?? .send(key, attempt))
    }

    private mutating func makeMessage(
        _ content: MessageContent,
        _ key: LaneKey,
        _ plan: DestinationPlan,
        now: Instant
    ) -> Message {
        let body = MessageBody.bytes(content, of: key.subject, pictures: plan.pictures)
        var content = content
        content.json = Data()
        let id = MessageBody.id(bodyDigests.digest(of: body), to: key.destination)
        return Message(id: id, content: content, nextAttempt: now, body: body)
    }

    // MARK: Results

    mutating func endAttempt(to server: String) {
        inFlight -= 1
        servers[server]?.inFlight -= 1
        readyServers.insert(server)
        while let saturated = saturatedServers.first {
            saturatedServers.removeFirst()
            readyServers.insert(saturated)
        }
    }

    mutating func finish(_ result: AttemptResult, _ step: inout Decisions, now: Instant) {
        let (key, attempt) = (result.key, result.attempt)
        guard var lane = lanes[key], let message = lane.record.message, message.id == result.message,
            message.attempts == attempt
        else { return }
        let server = lane.server ?? server(of: key)
        // An attempt from before a failed commit is not in flight for this core.
        if lane.isInFlight { endAttempt(to: server) }
        lane.server = nil
        lane.record.message?.isOpen = false
        // The answer of a former address says nothing about the present one.
        let isOfFormer = lane.fingerprint.map { $0 != destinations[key.destination]?.record.fingerprint } ?? false
        changes.lanes.insert(key)
        switch result.outcome {
        case .delivered:
            lane.record.finish(message, rejection: nil, limits, now: now)
            finishCovered(by: key, attempts: attempt, &step, now: now)
            destinations[key.destination]?.record.counts.delivered += 1
            changes.counts.insert(key.destination)
            servers[server]?.breaker.succeeded()
            step.effects.append(.note(.delivered(key, attempts: attempt)))
        case .rejected(let reason):
            lane.record.finish(message, rejection: reason, limits, now: now)
            if let entry = message.spent { changeLedger(of: key, in: &lane) { $0.refund(entry) } }
            servers[server]?.breaker.succeeded()
            step.effects.append(.note(.rejected(key, reason: reason)))
        case .gone(let reason):
            servers[server]?.breaker.succeeded()
            lane.record.message?.problem = reason
            if let device = deviceIDs[key.destination] {
                lanes[key] = lane
                if removeRejected(device, registered: lane.registered, &step, now: now) {
                    step.effects.append(.note(.deviceGone(device, reason: reason)))
                    return
                }
                // It has registered again since the attempt began.
                planRetry(nil, &lane.record, now: now)
            } else if isOfFormer {
                planRetry(nil, &lane.record, now: now)
            } else {
                destinations[key.destination]?.record.gone = reason
                changes.destinations.insert(key.destination)
                step.effects.append(.note(.gone(key.destination, reason: reason)))
            }
        case .retry(let asked, let reason, let isServerFailure):
            let after = isOfFormer ? nil : asked
            lane.record.message?.problem = reason
            lane.record.message?.isUnknown = false
            planRetry(after.map { min($0, limits.longestWait) }, &lane.record, now: now)
            if let after, after > .zero {
                let until = now.advanced(by: min(after, limits.longestWait))
                destinations[key.destination]?.record.blockedUntil = until
                changes.destinations.insert(key.destination)
            }
            step.effects.append(.note(.failed(key, attempts: attempt, reason: reason, isUnknown: false)))
            if isServerFailure {
                noteFailure(of: server, &step, now: now)
            } else {
                servers[server]?.breaker.succeeded()
            }
        case .unknown(let reason):
            lane.record.message?.problem = reason
            lane.record.message?.becomeUnknown()
            lane.record.message?.isUnknown = true
            planRetry(nil, &lane.record, now: now)
            step.effects.append(.note(.failed(key, attempts: attempt, reason: reason, isUnknown: true)))
            noteFailure(of: server, &step, now: now)
        }
        lanes[key] = lane
        removeIfUnneeded(key, now: now)
        stopIfUnfollowed(key, now: now)
        schedule(key, now: now)
        if case .rejected = result.outcome { scheduleAfterRefund(of: key, now: now) }
    }

    // MARK: Pushes that reload all widgets

    /// Notes that a push reloads the other widgets of its device, too, and shows what waits in their lanes.
    private mutating func markCovered(by key: LaneKey) {
        for other in index[key.destination] where other != key && lanes[other]?.record.pending != nil {
            lanes[other]?.coveringPush = key.subject
            // The device may show what waits even if the push is never acknowledged, so no later change takes it back.
            lanes[other]?.record.digests = nil
            changes.lanes.insert(other)
        }
    }

    /// Ends what waited in other lanes when a push began that has arrived.
    private mutating func finishCovered(by key: LaneKey, attempts: Int, _ step: inout Decisions, now: Instant) {
        guard destinations[key.destination]?.plan.sharesBudget == true else { return }
        for other in index[key.destination] where lanes[other]?.coveringPush == key.subject {
            lanes[other]?.coveringPush = nil
            guard let content = lanes[other]?.record.pending else { continue }
            lanes[other]?.record.pending = nil
            lanes[other]?.record.finish(content, as: FinishedMessage(content, at: now, attempts: attempts), limits)
            merged(in: other, &step)
            changes.lanes.insert(other)
            removeIfUnneeded(other, now: now)
        }
    }

    /// Plans the next attempt after a failed one.
    private func planRetry(_ after: Duration?, _ record: inout LaneRecord, now: Instant) {
        guard let message = record.message else { return }
        let pause = RetryPause.next(
            after: .milliseconds(record.pauseMilliseconds),
            shortest: limits.firstPause,
            longest: limits.longestPause,
            random: StableHash.mixed(seed &+ StableHash.hash(message.id.utf8) &+ UInt64(message.attempts))
        )
        record.pauseMilliseconds = pause.wholeMilliseconds
        record.failingSince = record.failingSince ?? now
        record.message?.nextAttempt = now.advanced(by: max(pause, after ?? .zero))
    }

    /// Sends again to a destination that was gone, because it has accepted a test message.
    mutating func returnIfGone(_ name: DestinationName, now: Instant) {
        guard destinations[name]?.record.gone != nil else { return }
        destinations[name]?.record.gone = nil
        changes.destinations.insert(name)
        for key in index[name] { schedule(key, now: now) }
    }

    private mutating func noteFailure(of server: String, _ step: inout Decisions, now: Instant) {
        let before = servers[server]?.breaker.openUntil
        let random = StableHash.mixed(seed &+ StableHash.hash(server.utf8) &+ UInt64(bitPattern: now.milliseconds))
        servers[server, default: Server()].breaker.failed(limits, random: random, now: now)
        guard let until = servers[server]?.breaker.openUntil, until != before else { return }
        wake(server, at: until)
        step.effects.append(.note(.breakerOpened(server: server, until: until)))
    }
}

extension LaneRecord {
    /// Ends a message; `rejection` is the reason why the destination rejected it, nil if it accepted it.
    fileprivate mutating func finish(
        _ message: Message,
        rejection: String?,
        _ limits: DeliveryLimits,
        now: Instant
    ) {
        var finished = FinishedMessage(message.content, at: now, attempts: message.attempts)
        finished.rejection = rejection
        finished.isSpent = message.spent != nil && rejection == nil
        finish(message.content, as: finished, limits)
        self.message = nil
        pauseMilliseconds = 0
        failingSince = nil
    }

    /// Notes that the destination has a content, or has rejected it.
    fileprivate mutating func finish(_ content: MessageContent, as finished: FinishedMessage, _ limits: DeliveryLimits)
    {
        history.append(finished, limit: limits.history)
        // After a new epoch, the number may be lower than that of the last message.
        done = content.last
        // Without the digest of a rejected state, each start would send the state again.
        if content.boardDigest != nil { boardDigest = content.boardDigest }
        if content.boardDigest == nil, finished.rejection == nil || content.isRemoval { digests = content.digests }
    }
}
