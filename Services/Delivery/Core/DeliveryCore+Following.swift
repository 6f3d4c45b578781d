// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import EventStreams
import Foundation
import ServiceEngine
import WidgetSchema

/// Following the updates: what waits in which lane.
extension DeliveryCore {
    // MARK: Readers

    /// Starts or ends the readers, as the destinations need them.
    mutating func beginFollowing(_ step: inout Decisions, now: Instant) {
        guard !destinations.isEmpty else {
            (follower, states, isCaughtUp, hasStates) = (nil, nil, false, false)
            boards = BoardView()
            for widget in widgets.keys { changes.widgets.insert(widget) }
            widgets = [:]
            if storedPosition != nil { step.writes.append(.position(nil)) }
            storedPosition = nil
            step.effects.append(.reads(false))
            if isSubscribed { step.effects.append(.ready) }
            return
        }
        if follower == nil {
            step.effects.append(.reads(true))
            if let storedPosition, !wasRestored {
                follower = UpdateFollower(from: .position(storedPosition), coversNewData: true)
            } else {
                follower = UpdateFollower(from: .snapshot(backlog: 0), coversNewData: true)
            }
            if isSubscribed { follow(.subscribed, &step, now: now) }
        }
        // The snapshot of the stream's reader has the states, too.
        let isWanted = destinations.values.contains { $0.isNew && $0.plan.sendsState || !$0.lost.isEmpty }
        let isNeeded = isWanted || destinations.values.contains { !$0.plan.filter.boards.isEmpty }
        guard isNeeded, states == nil, follower?.position != nil else { return startIfCaughtUp(&step, now: now) }
        if !hasStates || isWanted {
            states = UpdateFollower(from: .snapshot(backlog: 0), coversNewData: true)
            if isSubscribed { _ = states?.handle(.subscribed, now: now) }
        }
        startIfCaughtUp(&step, now: now)
    }

    mutating func follow(_ input: UpdateFollower.Input, _ step: inout Decisions, now: Instant) {
        if case .subscribed = input {
            isSubscribed = true
            _ = states?.handle(.subscribed, now: now)
            if destinations.isEmpty { step.effects.append(.ready) }
        }
        for output in follower?.handle(input, now: now) ?? [] { perform(output, &step, now: now) }
        if case .heads = input, states == nil, destinations.values.contains(where: { !$0.lost.isEmpty }) {
            beginFollowing(&step, now: now)
        }
        guard !isCaughtUp, case .answer(let request, let page) = input, case .updates = request.body, !page.more,
            let position = follower?.position, page.end?.epoch == position.epoch
        else { return }
        caughtUp(&step, now: now)
    }

    mutating func answered(
        _ reader: StreamReader,
        _ input: UpdateFollower.Input,
        _ step: inout Decisions,
        now: Instant
    ) {
        switch reader {
        case .stream: follow(input, &step, now: now)
        case .states:
            for output in states?.handle(input, now: now) ?? [] {
                guard case .begin(_, let updates) = output else { continue }
                states = nil
                // Updates that came since the snapshot was made are newer, and stay.
                for update in updates {
                    boards.take(update.widget, update.range.sequence, update.event.data.displays)
                }
                takeStates(updates, &step, now: now)
            }
        }
    }

    private mutating func perform(_ output: UpdateFollower.Output, _ step: inout Decisions, now: Instant) {
        switch output {
        case .begin(_, let updates): begin(updates, &step, now: now)
        case .publish(let update), .show(let update): take(update, &step, now: now)
        case .caughtUp: caughtUp(&step, now: now)
        case .note(let note): step.effects.append(.note(.follower(note)))
        }
    }

    private mutating func caughtUp(_ step: inout Decisions, now: Instant) {
        isCaughtUp = true
        removeUnneededLanes(now: now)
        step.effects.append(.ready)
        startIfCaughtUp(&step, now: now)
        for key in lanes.keys.sorted() { schedule(key, now: now) }
    }

    /// Lets new destinations start, once the end of the stream is known.
    mutating func startIfCaughtUp(_ step: inout Decisions, now: Instant) {
        guard isCaughtUp else { return }
        for (name, destination) in destinations where destination.isNew {
            if destination.plan.sendsState, states != nil { continue }
            destinations[name]?.isNew = false
            changes.destinations.insert(name)
        }
    }

    // MARK: Updates

    private mutating func take(_ update: StreamedUpdate, _ step: inout Decisions, now: Instant) {
        let sequence = update.range.sequence
        guard widgets[update.widget].map({ $0 < sequence }) ?? true else { return }
        // A new epoch that begins after a crash must know which widgets were there.
        if update.isRemoval || widgets[update.widget] == nil { positionDue = now }
        widgets[update.widget] = update.isRemoval ? nil : sequence
        changes.widgets.insert(update.widget)
        let offer = Offer(update: update, content: MessageContent(update))
        for name in followers[update.widget] {
            guard let destination = destinations[name] else { continue }
            guard !destination.isNew || isForNew(destination, update) else { continue }
            make(offer, to: destination, &step, now: now)
        }
        let changed = boards.take(update.widget, sequence, update.event.data.displays)
        for board in changed { boardChanged(board, &step, now: now) }
    }

    /// Returns whether a new destination gets an update although it begins at the end of the stream, which is not reached.
    private func isForNew(_ destination: Destination, _ update: StreamedUpdate) -> Bool {
        // A destination that waits for the states of all widgets gets what comes after their snapshot, too.
        if destination.plan.sendsState { return isCaughtUp || hasState(destination) }
        // A device has loaded what was there when it registered.
        guard let device = deviceIDs[destination.plan.name].flatMap({ devices.devices[$0] }),
            let time = Instant(update.event.time)
        else { return false }
        return device.registered <= time
    }

    /// An update, and its content with all displays, which is made once for all destinations.
    private struct Offer {
        let update: StreamedUpdate
        let content: MessageContent
    }

    private mutating func make(
        _ offer: Offer,
        to destination: Destination,
        _ step: inout Decisions,
        now: Instant
    ) {
        let update = offer.update
        let plan = destination.plan
        let key = LaneKey(destination: plan.name, subject: .widget(update.widget))
        guard plan.refusal(of: update.event.data) == nil else {
            removeIfLast(update, of: key, now: now)
            if update.event.data.result == .noData {
                destinations[plan.name]?.record.counts.noData += 1
                changes.counts.insert(plan.name)
                step.effects.append(.note(.noData))
            }
            return
        }
        guard makeLane(key, done: update.range.first.previous) else { return }
        // After a crash, the stream begins at an earlier position than the lane. A lane's own request may be ahead of the stream.
        let mayBeAhead = plan.mode == .every || !isCaughtUp
        if mayBeAhead, let wanted = lanes[key]?.record.wanted, wanted >= update.range.sequence {
            lanes[key]?.hasNewer = true
            removeIfLast(update, of: key, now: now)
            return
        }
        let content = MessageContent(update, offer.content, for: plan)
        if takesBack(content, in: key, of: plan) {
            lanes[key]?.record.pending = nil
            lanes[key]?.record.wanted = content.last
            lanes[key]?.timer = nil
            noteOffer(key)
            // Neither the update that waited nor this one is sent.
            for _ in 0..<2 { merged(in: key, &step) }
            removeIfUnneeded(key, now: now)
            // The lane may still lack updates.
            schedule(key, now: now)
            return
        }
        switch plan.mode {
        case .latest: wait(for: content, in: key, &step)
        case .every: enqueue(content, in: key)
        }
        schedule(key, now: now)
    }

    /// Removes the lane of a removed widget that needs no message, unless the lane knows later updates already.
    private mutating func removeIfLast(_ update: StreamedUpdate, of key: LaneKey, now: Instant) {
        guard update.isRemoval, let wanted = lanes[key]?.record.wanted, wanted <= update.range.sequence else { return }
        removeIfUnneeded(key, now: now)
    }

    /// Returns whether a change only takes back the one that waits: the destination shows this state already.
    private func takesBack(_ content: MessageContent, in key: LaneKey, of plan: DestinationPlan) -> Bool {
        // Another result may be a message of its own. A device loads the state when it gets to it, and may show what waits.
        guard !plan.name.isDevice, plan.mode == .latest, plan.filter.results == [.newData],
            let record = lanes[key]?.record, record.message == nil, let pending = record.pending,
            destinations[key.destination]?.lost.contains(key.subject) == false
        else { return false }
        return record.digests == content.digests && !(pending.isRemoval && content.isRemoval)
    }

    /// Replaces the content that waits in a lane by a newer one.
    mutating func wait(for content: MessageContent, in key: LaneKey, _ step: inout Decisions) {
        var content = content
        if let pending = lanes[key]?.record.pending {
            content.merge(pending)
            merged(in: key, &step)
        }
        lanes[key]?.record.pending = content
        lanes[key]?.record.wanted = content.last
        lanes[key]?.coveringPush = nil
        noteOffer(key)
    }

    /// Notes a change of a lane that is written with the position of the stream.
    ///
    /// After a crash, the stream or the states of all widgets bring it again. Boards are in no stream.
    mutating func noteOffer(_ key: LaneKey) {
        if key.widget == nil { changes.lanes.insert(key) } else { changes.offered.insert(key) }
    }

    func isFull(_ lane: Lane) -> Bool { lane.hasMore || lane.queue.count >= limits.queued }

    mutating func enqueue(_ content: MessageContent, in key: LaneKey) {
        guard let lane = lanes[key] else { return }
        if isFull(lane) {
            lanes[key]?.hasMore = true
            lanes[key]?.hasNewer = true
        } else {
            lanes[key]?.queue.append(content)
        }
        lanes[key]?.record.wanted = content.last
        noteOffer(key)
    }

    mutating func merged(in key: LaneKey, _ step: inout Decisions) {
        destinations[key.destination]?.record.counts.merged += 1
        changes.counts.insert(key.destination)
        step.effects.append(.note(.merged))
    }

    // MARK: States

    /// Takes the states of all widgets: those of a new epoch, or those at the first start.
    private mutating func begin(_ updates: [StreamedUpdate], _ step: inout Decisions, now: Instant) {
        let isFirst = storedPosition == nil && !wasRestored && widgets.isEmpty
        let known = widgets
        widgets = [:]
        for update in updates where !update.isRemoval { widgets[update.widget] = update.range.sequence }
        for widget in Set(known.keys).union(widgets.keys) where known[widget] != widgets[widget] {
            changes.widgets.insert(widget)
        }
        if wasRestored {
            // Removals of widgets that the backup does not know are changes only if they are newer than the backup.
            let newest = known.values.max() ?? .zero
            let changed = updates.filter { update in
                let before = known[update.widget] ?? (update.isRemoval ? newest : .zero)
                return update.event.data.lastNewData(update.range) ?? .zero > before
            }
            changedSinceBackup = Set(changed.map(\.widget))
        }
        if !isFirst {
            for update in updates {
                for name in followers[update.widget] {
                    guard let destination = destinations[name], !destination.isNew else { continue }
                    compare(update, known[update.widget], with: destination.plan, now: now)
                    let key = LaneKey(destination: name, subject: .widget(update.widget))
                    settle(key, at: update.range.sequence, destination.plan)
                }
            }
        }
        removeUnneededLanes(now: now)
        boards.replace(by: updates.map { ($0.widget, $0.range.sequence, $0.event.data.displays) })
        takeStates(updates, &step, now: now)
        (wasRestored, changedSinceBackup) = (false, [])
    }

    /// Notes that a lane in which nothing waits has taken the state of another epoch, whose numbers may be lower.
    ///
    /// Otherwise, updates before this state would be requested after a crash, or later ones would count as taken.
    private mutating func settle(_ key: LaneKey, at sequence: SequenceNumber, _ plan: DestinationPlan) {
        guard let before = lanes[key]?.record, before.pending == nil else { return }
        if plan.mode == .every {
            if before.message == nil { lanes[key]?.record.done = sequence }
            lanes[key]?.record.message?.content.last = sequence
            lanes[key]?.record.wanted = sequence
        } else {
            lanes[key]?.record.wanted = min(before.wanted, sequence)
        }
        if lanes[key]?.record != before { changes.lanes.insert(key) }
    }

    /// Decides which message a destination gets about a widget's state of a new epoch: at most one message.
    ///
    /// `known` is the last cycle of the widget that was known before; nil if there was none.
    private mutating func compare(
        _ update: StreamedUpdate,
        _ known: SequenceNumber?,
        with plan: DestinationPlan,
        now: Instant
    ) {
        let key = LaneKey(destination: plan.name, subject: .widget(update.widget))
        var content = MessageContent(update, for: plan)
        let waits = lanes[key].map { $0.next != nil || $0.hasMore || $0.record.message != nil } ?? false
        // The first message of a restored lane was dropped at the start, and may not have arrived. Empty digests mean that the
        // removal of the widget was sent last, so the next message is a first one again.
        let knowsContent = lanes[key]?.record.digests?.isEmpty == false
        let mayLackFirst = lanes[key]?.record.digests == nil || !update.isRemoval
        let isOwed = wasRestored && !knowsContent && mayLackFirst && lanes[key]?.record.isMissingMessage == true
        let lastChange = update.event.data.lastNewData(update.range) ?? .zero
        if knowsContent, let digests = lanes[key]?.record.digests {
            content.changed = content.digests.filter { digests[$0.key] != $0.value }.keys.sorted()
            content.isMerged = true
            // A change and its return may both be missing: of a restored store, of which only the change was delivered; of a
            // device, which may have loaded the change.
            let seen = max(lanes[key]?.record.done ?? .zero, known ?? .zero)
            if wasRestored || plan.name.isDevice, content.changed.isEmpty, lastChange > seen {
                content.changed = content.digests.keys.sorted()
            }
        } else if lastChange <= known ?? .zero {
            content.changed = []
        } else if content.changed.isEmpty {
            // The state is that of a later cycle without a change.
            content.changed = content.digests.keys.sorted()
        }
        let removalWasSent = lanes[key].map { lane in
            lane.record.digests?.isEmpty == true && (!wasRestored || lastChange <= lane.record.done)
        }
        let wasThere = known != nil || removalWasSent == false || changedSinceBackup.contains(update.widget)
        let needsRemoval = update.isRemoval && wasThere && plan.refusal(of: update.event.data) == nil
        if isOwed {
            content.changed = content.digests.keys.sorted()
            content.isMerged = true
        }
        guard waits || isOwed || needsRemoval || passes(update.event.data, changed: content.changed, plan) else {
            return
        }
        guard makeLane(key, done: update.range.first.previous) else { return }
        if let lane = lanes[key], lane.isInFlight, lane.next == nil, !lane.hasMore,
            lane.record.message?.content.digests == content.digests
        {
            // The message in flight has this state.
            return
        }
        if lanes[key]?.isInFlight == false {
            // A message that waits for another attempt is older than the state.
            if let message = lanes[key]?.record.message {
                content.merge(message.content)
                // The destination may show what this message said, so no later change takes this back.
                if message.mayHaveArrived { lanes[key]?.record.digests = nil }
            }
            refundMessage(of: key, now: now)
            lanes[key]?.record.message = nil
        }
        if let pending = lanes[key]?.next { content.merge(pending) }
        lanes[key]?.dropQueue()
        if plan.mode == .every, let done = lanes[key]?.record.done {
            // One message with the range of all cycles since the last one.
            content.first = min(content.last, done.next)
            content.isMerged = true
            if done >= content.last { lanes[key]?.record.done = content.last.previous }
        }
        // In the store, so that a process that dies before it is sent sends no more than this.
        lanes[key]?.record.pending = content
        lanes[key]?.coveringPush = nil
        // The destination may show what was delivered after the backup, so no later change takes this back.
        if wasRestored { lanes[key]?.record.digests = nil }
        lanes[key]?.record.wanted = content.last
        changes.lanes.insert(key)
        schedule(key, now: now)
    }

    /// Returns whether a destination gets the state of a widget after a new epoch because of the displays that changed.
    private func passes(_ update: Update, changed: [DisplayName], _ plan: DestinationPlan) -> Bool {
        guard !changed.isEmpty, plan.filter.results.contains(.newData) else { return false }
        if let wanted = plan.filter.displays, !changed.contains(where: wanted.contains) { return false }
        // After a cycle without a change, the reason of the last change is unknown.
        guard update.result == .newData, let reasons = plan.filter.reasons else { return true }
        return reasons.contains(update.reason)
    }
}

extension Update {
    /// Returns the number of the last cycle with the result `newData`; nil if there is none.
    fileprivate func lastNewData(_ range: SequenceRange) -> SequenceNumber? {
        result == .newData ? range.sequence : previousNewData
    }
}
