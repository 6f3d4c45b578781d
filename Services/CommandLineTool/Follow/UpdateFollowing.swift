// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import MessageBus
import ServiceRuntime
import WidgetSchema

/// The loop of `tidings subscribe --since SEQUENCE`: it passes messages from a session to an `UpdateFollower`.
struct UpdateFollowing {
    let session: BusSession
    var follower: UpdateFollower
    /// A closure that shows an event, and returns false to stop the loop.
    let show: (Event<Update>) throws -> Bool
    var notice = ReplayNotice()

    /// Runs until `show` returns false or the session ends.
    mutating func run() throws {
        // The subscriptions are already active. Messages wait while the snapshot is read; if a replay also contains
        // them, they are dropped as duplicates.
        guard try takeSnapshot() else { return }
        while true {
            if follower.needsSnapshot, try !takeSnapshot() { return }
            while let ask = follower.nextAsk(at: .now) {
                guard try answer(ask) else { return }
            }
            let deadline = follower.nextDeadline.map {
                ContinuousClock.now + .milliseconds(max(0, $0.milliseconds(since: .now)))
            }
            switch session.next(until: deadline) {
            case .message(let message):
                guard try take(message) else { return }
            case .resubscribed: follower.askForAll()
            case .ended: return
            case nil: continue
            }
        }
    }

    /// Reads a snapshot, and shows what it brings after the notifier's store was replaced; returns false to stop.
    private mutating func takeSnapshot() throws -> Bool {
        let (records, end) = try snapshot()
        let (shown, isNewEpoch) = follower.handleSnapshot(records, end: end, at: .now)
        if isNewEpoch {
            StandardStream.error.write(
                "\(Program.name): the notifier's store was replaced; states may be older than the ones shown before\n"
            )
        }
        for event in shown where try !show(event) { return false }
        return true
    }

    /// Requests the last update of every widget from the notifier, and returns them with the position of the first page.
    private func snapshot() throws(CommandFailure) -> ([Event<Update>], StreamOffset?) {
        var records: [Event<Update>] = []
        var (after, end): (WidgetID?, StreamOffset?)
        while true {
            let page = try session.ask(RequestTarget(.notifier), SnapshotRequest<Update>(after: after))
            if let known = end, let epoch = page.end?.epoch, epoch != known.epoch {
                // The notifier's store was replaced between two pages.
                (records, after, end) = ([], nil, nil)
                continue
            }
            records += page.records
            end = end ?? page.end
            let last = page.records.compactMap(\.widget).max()
            guard page.more, let last, after.map({ last > $0 }) ?? true else { return (records, end) }
            after = last
        }
    }

    private mutating func answer(_ ask: ReplayAsk) throws -> Bool {
        let page: Records<Update>
        do throws(CommandFailure) {
            page = try session.ask(RequestTarget(.notifier), ReplayRequest<Update>(from: ask.from))
        } catch {
            // The notifier or the bus is restarting: the request is repeated after the interval.
            guard error.status == .unreachable || error.status == .no else { throw error }
            notice.failed(error)
            follower.askFailed(ask)
            return true
        }
        notice.answered()
        guard follower.answered(ask, page) else { return true }
        for record in page.records {
            if let event = follower.handle(record, isReplayed: true, at: .now), try !show(event) { return false }
        }
        return true
    }

    private mutating func take(_ message: BusMessage) throws -> Bool {
        guard let json = message.frames.first else { return true }
        if message.topic == Topic.heads(of: .notifier) {
            if let event = try? WireJSON.decode(Event<NotifierHeads>.self, from: json) {
                follower.handleHeads(event.data.heads.mapValues(\.sequence), end: event.data.end, at: .now)
            }
            return true
        }
        guard let event = try? WireJSON.decode(Event<Update>.self, from: json),
            let next = follower.handle(event, isReplayed: false, at: .now)
        else { return true }
        return try show(next)
    }
}
