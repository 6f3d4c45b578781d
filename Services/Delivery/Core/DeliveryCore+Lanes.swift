// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import ServiceEngine
import WidgetSchema

/// The lanes: their creation and removal, and the sums over them.
extension DeliveryCore {
    // MARK: Creation and removal

    /// Makes the lane if it is missing; returns false if there are too many.
    ///
    /// The lanes of devices have a limit of their own, because clients register devices.
    mutating func makeLane(_ key: LaneKey, done: SequenceNumber) -> Bool {
        if lanes[key] != nil { return true }
        let limit = key.destination.isDevice ? limits.lanesOfDevices : limits.lanes
        guard index.count(alongside: key.destination) < limit else {
            changes.rejectedLane = key
            return false
        }
        var lane = Lane()
        (lane.record.done, lane.record.wanted) = (done, done)
        lanes[key] = lane
        index.insert(key)
        return true
    }

    mutating func removeLane(_ key: LaneKey) {
        guard let lane = lanes.removeValue(forKey: key) else { return }
        if let server = lane.server {
            endAttempt(to: server)
            servers[server]?.breaker.abandoned()
        }
        index.replace(lane.share, by: LedgerShare())
        index.remove(key)
        changes.lanes.insert(key)
    }

    /// Forgets what waits for a subject that the destination no longer follows, and removes its lane if it is not needed.
    mutating func stopIfUnfollowed(_ key: LaneKey, now: Instant) {
        guard let destination = destinations[key.destination], !destination.plan.follows(key.subject),
            let lane = lanes[key]
        else { return }
        if lane.isWaiting {
            refundMessage(of: key, now: now)
            lanes[key]?.stopWaiting()
            changes.lanes.insert(key)
        }
        removeIfUnneeded(key, now: now)
    }

    mutating func removeUnneededLanes(now: Instant) {
        for key in Array(lanes.keys) { removeIfUnneeded(key, now: now) }
    }

    /// Removes an idle lane if its widget no longer exists, or if the destination does not follow it.
    ///
    /// The lane stays while the budget counts one of its messages: a widget that comes back gets no new budget, and neither
    /// does a device that registers for other widgets and back.
    mutating func removeIfUnneeded(_ key: LaneKey, now: Instant) {
        guard let lane = lanes[key], !lane.isInFlight, !lane.isWaiting, let destination = destinations[key.destination]
        else { return }
        let isGone = key.widget.map { widgets[$0] == nil && !mayBeAhead(lane) } ?? false
        guard isGone || !destination.plan.follows(key.subject) else { return }
        let hasLedger = destination.plan.budget != nil && !destination.plan.sharesBudget
        if !hasLedger || lane.record.ledger.spent(now: now) == 0 { removeLane(key) }
    }

    /// Returns whether a lane may have updates that the stream has not brought: the widget may exist, although it is not known.
    ///
    /// Without the lane, they would be sent again when the stream brings them.
    private func mayBeAhead(_ lane: Lane) -> Bool {
        guard isCaughtUp, let position = follower?.position else { return true }
        return lane.ahead.map { $0.epoch == position.epoch && $0.number > position.number } ?? false
    }

    // MARK: The start

    /// Corrects the stored times at the start, except those of lanes: the clock may have been set back.
    mutating func clampTimes(_ step: inout Decisions, now: Instant) {
        if let at = restored?.at, at > now {
            restored?.at = now
            step.writes.append(.restored(now))
        }
        let latest = now.advanced(by: limits.longestWait)
        for name in Array(destinations.keys) {
            guard var record = destinations[name]?.record else { continue }
            record.blockedUntil = record.blockedUntil.map { min($0, latest) }
            record.ledger?.clamp(to: now)
            guard record != destinations[name]?.record else { continue }
            destinations[name]?.record = record
            changes.destinations.insert(name)
        }
    }

    /// Corrects a stored lane at the start: an attempt may have been in flight, and the clock may have been set back.
    mutating func prepareLane(_ key: LaneKey, now: Instant) {
        guard var lane = lanes[key] else { return }
        let before = lane.record
        lane.record.ledger.clamp(to: now)
        if let spent = lane.record.message?.spent { lane.record.message?.spent = min(spent, now) }
        lane.record.failingSince = lane.record.failingSince.map { min($0, now) }
        if lane.record.message?.isOpen == true {
            lane.record.message?.isOpen = false
            lane.record.message?.becomeUnknown()
            lane.record.message?.nextAttempt = now.advanced(by: limits.firstPause)
        }
        if let next = lane.record.message?.nextAttempt {
            // A longer pause, which the destination asked for, is that of the destination.
            lane.record.message?.nextAttempt = min(next, now.advanced(by: limits.longestPause))
        }
        if wasRestored, lane.record.message != nil {
            lane.record.dropMessage()
            // The numbers of a board do not tell that the message is missing: the newest cell may be another one.
            if key.board != nil { lane.record.done = .zero }
        }
        let isEvery = destinations[key.destination]?.plan.mode == .every
        let stored = [lane.record.message?.content.last, lane.record.pending?.last].compactMap { $0 }.max() ?? .zero
        // Earlier builds have not stored whether a lane has more.
        lane.hasMore = lane.record.hasMore || isEvery && lane.record.wanted > max(lane.record.done, stored)
        if lane.record != before { changes.lanes.insert(key) }
        lanes[key] = lane
    }

    // MARK: Ledgers

    /// Returns the ledger that counts the messages of a lane.
    func ledger(of lane: Lane, _ destination: Destination) -> BudgetLedger {
        destination.plan.sharesBudget ? destination.record.ledger ?? BudgetLedger() : lane.record.ledger
    }

    /// Changes the ledger that counts the messages of a lane.
    mutating func changeLedger(of key: LaneKey, in lane: inout Lane, _ change: (inout BudgetLedger) -> Void) {
        if destinations[key.destination]?.plan.sharesBudget == true {
            var ledger = destinations[key.destination]?.record.ledger ?? BudgetLedger()
            change(&ledger)
            destinations[key.destination]?.record.ledger = ledger
            changes.destinations.insert(key.destination)
        } else {
            change(&lane.record.ledger)
        }
    }

    /// Refunds the message of a lane, which certainly did not arrive and will be dropped; does nothing if it may have arrived.
    mutating func refundMessage(of key: LaneKey, now: Instant) {
        guard var lane = lanes[key], !lane.isInFlight, let entry = lane.record.message?.spent else { return }
        lane.record.message?.spent = nil
        changeLedger(of: key, in: &lane) { $0.refund(entry) }
        lanes[key] = lane
        changes.lanes.insert(key)
        scheduleAfterRefund(of: key, now: now)
    }

    /// Plans the lanes that share a budget, after a refund: they may send earlier.
    mutating func scheduleAfterRefund(of key: LaneKey, now: Instant) {
        guard destinations[key.destination]?.plan.sharesBudget == true else { return }
        for other in index[key.destination] where other != key { schedule(other, now: now) }
    }

    // MARK: Sums

    /// Brings the sums up to date after a change of a lane.
    mutating func updateSums(of key: LaneKey, now: Instant) {
        guard let lane = lanes[key], let destination = destinations[key.destination] else { return }
        let counted = (waiting: lane.isWaiting, failing: lane.record.failingSince != nil)
        if counted != lane.isCounted {
            index.note(key, isWaiting: counted.waiting, isFailing: counted.failing)
            lanes[key]?.isCounted = counted
        }
        let budget = destination.plan.sharesBudget ? nil : destination.plan.budget
        let share = lane.record.ledger.share(of: budget, restored: restored, now: now)
        guard share != lane.share else { return }
        replace(lane.share, by: share, of: .lane(key))
        lanes[key]?.share = share
    }

    /// Brings the sums up to date after a change of a destination.
    mutating func updateSums(of name: DestinationName, now: Instant) {
        guard let destination = destinations[name] else { return }
        let budget = destination.plan.sharesBudget ? destination.plan.budget : nil
        let share = (destination.record.ledger ?? BudgetLedger()).share(of: budget, restored: restored, now: now)
        guard share != destination.share else { return }
        replace(destination.share, by: share, of: .destination(name))
        destinations[name]?.share = share
    }

    private mutating func replace(_ old: LedgerShare, by new: LedgerShare, of place: LedgerPlace) {
        index.replace(old, by: new)
        if let end = new.end, end != old.end { timers.insert(Timer(at: end, target: .ledger(place))) }
    }

    /// Brings all sums up to date, after a change of the rules, of the clock or of time since a restore.
    mutating func updateAllSums(now: Instant) {
        for key in Array(lanes.keys) { updateSums(of: key, now: now) }
        for name in Array(destinations.keys) { updateSums(of: name, now: now) }
        changes.isReportDue = true
    }

    /// Plans the end of the time after a restore for which half of each budget counts as spent.
    mutating func planEndOfRestore(now: Instant) {
        guard let end = restored?.at.advanced(by: BudgetLedger.window), end > now else { return }
        timers.insert(Timer(at: end, target: .restore))
    }

    /// Removes the oldest message of a ledger from the sums, a day after it was sent.
    mutating func messageExpired(in place: LedgerPlace, at time: Instant, now: Instant) {
        switch place {
        case .lane(let key):
            guard lanes[key]?.share.end == time else { return }
            updateSums(of: key, now: now)
            removeIfUnneeded(key, now: now)
        case .destination(let name):
            guard destinations[name]?.share.end == time else { return }
            updateSums(of: name, now: now)
        }
        changes.isReportDue = true
    }
}
