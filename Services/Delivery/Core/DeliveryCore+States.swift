// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import EventStreams
import Foundation
import ServiceEngine
import WidgetSchema

/// The states of all widgets and boards: for boards, for new destinations, and for those that have lost one.
extension DeliveryCore {
    /// Takes the states of all widgets for boards, and for new destinations that get the present state.
    mutating func takeStates(_ updates: [StreamedUpdate], _ step: inout Decisions, now: Instant) {
        hasStates = true
        for board in Set(boards.ids).union(followers.ofBoards.keys).sorted() {
            boardChanged(board, isStart: true, &step, now: now)
        }
        let new = destinations.values.filter { $0.isNew && $0.plan.sendsState }.map(\.plan)
        for plan in new {
            for update in updates where plan.follows(update.widget) && !update.isRemoval {
                let key = LaneKey(destination: plan.name, subject: .widget(update.widget))
                guard makeLane(key, done: update.range.first.previous) else { break }
                // A newer update may have come since the snapshot was made.
                guard lanes[key].map({ $0.record.wanted < update.range.sequence }) ?? false else { continue }
                var content = MessageContent(update, for: plan)
                content.describeState()
                if plan.mode == .every { enqueue(content, in: key) } else { wait(for: content, in: key, &step) }
                schedule(key, now: now)
            }
        }
        for (name, destination) in destinations where !destination.lost.isEmpty {
            sendLost(of: name, updates, &step, now: now)
        }
        startIfCaughtUp(&step, now: now)
    }

    // MARK: Lost states

    /// Compares what a destination has kept with what was delivered, and sends the present state where they differ.
    ///
    /// A destination reports what it has kept when it has a connection again, so what waits for it is sent at once.
    mutating func compare(
        _ kept: [DeliverySubject: KeptState?],
        of name: DestinationName,
        _ step: inout Decisions,
        now: Instant
    ) {
        tryAgain(name, now: now)
        guard let destination = destinations[name], !destination.isNew else { return }
        let lost = kept.filter { subject, state in
            guard destination.plan.follows(subject) else { return false }
            let record = lanes[LaneKey(destination: name, subject: subject)]?.record
            switch subject {
            case .widget:
                guard let record, record.digests != nil else { return destination.plan.sendsState }
                return state?.sequence != record.done
            case .board:
                guard let digest = record?.boardDigest else { return destination.plan.sendsState }
                return state?.digest != digest.rawValue
            }
        }.filter { subject, _ in
            let key = LaneKey(destination: name, subject: subject)
            guard let record = lanes[key]?.record, record.message != nil || record.pending != nil else { return true }
            // The waiting content is newer than the lost state.
            forgetState(of: key)
            return false
        }
        guard !lost.isEmpty else { return }
        destinations[name]?.lost.formUnion(lost.keys)
        beginFollowing(&step, now: now)
    }

    /// Ends the pauses of a destination that has a connection again, of attempts without one.
    ///
    /// A message whose result is unknown keeps its pause: it may be the one at which the destination closes the connection.
    private mutating func tryAgain(_ name: DestinationName, now: Instant) {
        guard let server = destinations[name]?.plan.server else { return }
        servers[server]?.breaker.succeeded()
        readyServers.insert(server)
        for key in index[name] {
            guard let lane = lanes[key], !lane.isInFlight, lane.record.message?.isUnknown == false else { continue }
            endPause(key, now: now)
            lanes[key]?.timer = nil
            schedule(key, now: now)
        }
    }

    /// Sends the states that a destination has lost.
    private mutating func sendLost(
        of name: DestinationName,
        _ updates: [StreamedUpdate],
        _ step: inout Decisions,
        now: Instant
    ) {
        guard let destination = destinations[name] else { return }
        destinations[name]?.lost = []
        for update in updates where destination.lost.contains(.widget(update.widget)) && !update.isRemoval {
            let (key, sequence) = (LaneKey(destination: name, subject: .widget(update.widget)), update.range.sequence)
            guard makeLane(key, done: update.range.first.previous) else { return }
            guard let lane = lanes[key], lane.record.message == nil, lane.next == nil, !lane.hasMore else {
                // The waiting content is newer.
                forgetState(of: key)
                continue
            }
            if let newest = widgets[update.widget], newest > sequence, lane.record.done > sequence {
                // The snapshot is older than what was delivered and lost; the heads of the notifier ask for the next one.
                destinations[name]?.lost.insert(.widget(update.widget))
                continue
            }
            var content = MessageContent(update, for: destination.plan)
            content.describeState()
            if destination.plan.mode == .every {
                enqueue(content, in: key)
            } else {
                wait(for: content, in: key, &step)
                forgetState(of: key)
            }
            schedule(key, now: now)
        }
    }

    /// Forgets the digests of a lane, because the destination no longer shows them.
    ///
    /// Must be called together with the change that stores the replacement. Otherwise, a crash in between would lose the
    /// state of a destination without `sendsState`.
    private mutating func forgetState(of key: LaneKey) {
        lanes[key]?.record.digests = nil
        lanes[key]?.record.boardDigest = nil
        changes.lanes.insert(key)
    }

    /// Compares a board with what its destinations know; `isStart` is true if the state was read, and not changed just now.
    mutating func boardChanged(
        _ id: BoardID,
        isStart: Bool = false,
        _ step: inout Decisions,
        now: Instant
    ) {
        guard let state = boards[id], let digest = ContentDigest(rawValue: SHA256.hexDigest(of: state.visibleText))
        else {
            // The first complete state is a change for the present destinations, also after a restart of delivery.
            for name in followers[id] where isStart {
                let key = LaneKey(destination: name, subject: .board(id))
                if lanes[key] == nil, makeLane(key, done: .zero) { changes.lanes.insert(key) }
            }
            return
        }
        for name in followers[id] {
            guard let destination = destinations[name], isStart || !destination.isNew || hasState(destination)
            else { continue }
            let key = LaneKey(destination: name, subject: .board(id))
            let isUnknown = lanes[key] == nil
            let isOwed = isStart && wasRestored && !destination.isNew && mayDiffer(state, from: lanes[key]?.record)
            guard makeLane(key, done: .zero) else { continue }
            let isLost = isStart && destination.lost.contains(.board(id))
            let record = lanes[key]?.record
            let known = isLost || isOwed ? nil : record?.message?.content.boardDigest ?? record?.boardDigest
            if isStart, isUnknown, !isLost, !isOwed, !(destination.isNew && destination.plan.sendsState) {
                lanes[key]?.record.boardDigest = digest
                changes.lanes.insert(key)
                continue
            }
            guard known != digest else {
                // The board looks as before: nothing is left to send.
                if let record, record.pending != nil {
                    lanes[key]?.record.pending = nil
                    lanes[key]?.record.wanted = record.message?.content.last ?? record.done
                    merged(in: key, &step)
                    changes.lanes.insert(key)
                }
                continue
            }
            guard let json = Self.json(of: state, digest, now: now) else { continue }
            var content = MessageContent(
                first: .zero,
                last: state.newest,
                changed: [],
                isHigh: false,
                digests: [:],
                boardDigest: digest,
                json: json
            )
            content.isState = isLost
            // The destination may show what was delivered after the backup, so no later change takes this back.
            if isOwed || isLost { forgetState(of: key) }
            wait(for: content, in: key, &step)
            schedule(key, now: now)
        }
    }

    /// Returns whether a new destination has got the states of all widgets, and gets what comes after them.
    func hasState(_ destination: Destination) -> Bool { destination.plan.sendsState && states == nil }

    /// Returns whether a destination may show another state of a board after a restore, even if the known digest is the same.
    private func mayDiffer(_ state: BoardState, from record: LaneRecord?) -> Bool {
        record?.isMissingMessage == true || state.cells.contains { changedSinceBackup.contains($0.widget) }
    }

    private static func json(of state: BoardState, _ digest: ContentDigest, now: Instant) -> Data? {
        try? WireJSON.encode(
            Event(
                id: "board/\(state.id)/\(digest)",
                subject: "board/\(state.id)",
                time: now,
                range: nil,
                data: BoardChange(state, digest: digest)
            )
        )
    }
}

extension MessageContent {
    /// Makes the content describe the state of all displays, and no change.
    fileprivate mutating func describeState() {
        changed = digests.keys.sorted()
        isMerged = true
        isState = true
    }
}
