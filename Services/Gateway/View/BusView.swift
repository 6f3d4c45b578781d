// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import ServiceRuntime
import Synchronization
import Text
import WidgetSchema

/// The latest update of each widget, the planned fetches, and the last heartbeat of each instance.
///
/// The gateway's thread writes them, and the handlers of HTTP requests read them.
final class BusView: Sendable {
    private struct State {
        var latest: [WidgetID: StreamedUpdate] = [:]
        /// The last attempt to fetch the content of each widget, as far as an update has told it.
        var attempts: [WidgetID: LastAttempt] = [:]
        var boards = BoardView()
        var fetches = AnnouncedFetches()
        /// The ids of all known widgets, in ascending order; nil if they must be sorted again.
        var sorted: [WidgetID]?
        var isReady = false
        var instances: [String: Event<Health>] = [:]
        /// The times at which the heartbeats in `instances` arrived.
        var heardAt: [String: ContinuousClock.Instant] = [:]
        var layouts = LayoutInstances()
        /// The time at which the last announcement of the cache arrived; nil if there was none.
        var announcedAt: ContinuousClock.Instant?

        mutating func forgetReplaced(by subject: String) {
            let service = subject.prefix { $0 != "/" } + "/"
            let others = instances.filter { $0.key.hasPrefix(service) }
            if others.contains(where: { $0.value.data.isLive }) {
                for (other, known) in others where !known.data.isLive { forget(other) }
            }
            guard instances.count > BusView.maximumInstances,
                let oldest = heardAt.filter({ $0.key != subject }).min(by: { ($0.value, $0.key) < ($1.value, $1.key) })?
                    .key
            else { return }
            forget(oldest)
        }

        private mutating func forget(_ subject: String) { (instances[subject], heardAt[subject]) = (nil, nil) }

        /// Takes an update, and returns the boards that look different now.
        @discardableResult
        mutating func take(_ update: StreamedUpdate, at now: Instant) -> Set<BoardID> {
            store(update, at: now)
            return boards.take(update.widget, update.range.sequence, update.event.data.displays)
        }

        mutating func store(_ update: StreamedUpdate, at now: Instant) {
            if update.isRemoval {
                if latest.removeValue(forKey: update.widget) != nil { sorted = nil }
                attempts[update.widget] = nil
                return
            }
            if let attempt = LastAttempt(update.event.data, heard: now) { attempts[update.widget] = attempt }
            if latest.updateValue(update, forKey: update.widget) == nil { sorted = nil }
        }
    }

    private let state = Lock(State())

    var isReady: Bool { state.withLock(\.isReady) }

    func setReady() { state.withLock { $0.isReady = true } }

    /// Takes an update, and returns the boards that look different now; nil if that is unknown.
    ///
    /// A replay may contain updates that a snapshot already contained: what the boards looked like before them is unknown.
    @discardableResult
    func take(_ update: StreamedUpdate, at now: Instant = .now) -> Set<BoardID>? {
        state.withLock { state in
            let known = state.latest[update.widget]?.range.sequence
            if let known, known > update.range.sequence { return nil }
            let boards = state.take(update, at: now)
            return known == update.range.sequence || known == nil && update.isRemoval ? nil : boards
        }
    }

    /// Replaces the states of all widgets by those of another epoch.
    func replaceStates(by updates: [StreamedUpdate], at now: Instant = .now) {
        state.withLock { state in
            (state.latest, state.attempts, state.sorted) = ([:], [:], nil)
            for update in updates { state.store(update, at: now) }
            state.boards.replace(by: updates.map { ($0.widget, $0.range.sequence, $0.event.data.displays) })
        }
    }

    /// Returns the last complete state of a board, and whether it is the current one; nil if it was never complete.
    func board(_ id: BoardID) -> (state: BoardState, isCurrent: Bool)? {
        state.withLock { view in view.boards[id].map { ($0, view.boards.isComplete(id)) } }
    }

    subscript(widget: WidgetID) -> StreamedUpdate? { state.withLock { $0.latest[widget] } }

    /// Returns the time of a widget's last visible change on a display, in Unix seconds; nil if it is unknown.
    func changed(_ widget: WidgetID, _ display: DisplayName) -> Int64? {
        state.withLock { $0.latest[widget]?.event.data.displays[display]?.changed.map { $0.milliseconds / 1_000 } }
    }

    // MARK: Fetches

    /// Calls `body` with the planned fetches that the cache has announced.
    ///
    /// `body` must not use the view.
    func withFetches<Result>(_ body: (AnnouncedFetches) -> Result) -> Result { state.withLock { body($0.fetches) } }

    /// Stores planned fetches; returns the number of those that exceed the limit.
    func take(_ schedule: SourceSchedule, at now: Instant) -> Int {
        state.withLock { state in
            state.announcedAt = .now
            return state.fetches.take(schedule, at: now)
        }
    }

    /// Returns the last attempt to fetch the content of a widget, or the last push; nil if no update has told it.
    func lastAttempt(_ widget: WidgetID) -> LastAttempt? { state.withLock { $0.attempts[widget] } }

    var count: Int { state.withLock(\.latest.count) }

    /// Returns one page of the widgets that satisfy `isIncluded`, in the order of their ids.
    ///
    /// The page has at most `limit` widgets. It begins with the first id that is greater than `after`, or with the
    /// first widget if `after` is nil. The second value of the result, `more`, is true if there are widgets for another
    /// page.
    func page(
        after: WidgetID?,
        limit: Int,
        where isIncluded: (StreamedUpdate) -> Bool = { _ in true }
    ) -> ([StreamedUpdate], more: Bool) {
        state.withLock { state in
            let sorted = state.sorted ?? state.latest.keys.sorted()
            state.sorted = sorted
            var found: [StreamedUpdate] = []
            for widget in sorted[(after.map { last in sorted.partitionPoint { $0 > last } } ?? 0)...] {
                guard let update = state.latest[widget], isIncluded(update) else { continue }
                if found.count == limit { return (found, true) }
                found.append(update)
            }
            return (found, false)
        }
    }

    // MARK: Instances

    /// The maximum number of instances whose heartbeats are stored; the one that was silent longest is forgotten first.
    static let maximumInstances = 1024
    /// The beginning of the subjects of layout instances.
    private static let layoutPrefix = ServiceName.layout.rawValue + "/"

    /// Takes a heartbeat; instances that are gone are forgotten as soon as their service has a live one.
    func take(_ health: Event<Health>) {
        guard let subject = health.subject else { return }
        state.withLock { state in
            state.instances[subject] = health
            state.heardAt[subject] = .now
            let name = subject.hasPrefix(Self.layoutPrefix) ? subject.dropFirst(Self.layoutPrefix.count) : ""
            if let instance = InstanceName(rawValue: String(name)) {
                state.layouts.heard(health.data, of: instance, at: .now)
            }
            state.forgetReplaced(by: subject)
        }
    }

    /// The last heartbeat of each instance; the keys are the subjects of the heartbeat events.
    var instances: [String: Event<Health>] { state.withLock(\.instances) }

    /// Returns whether an announcement or a heartbeat of a live instance of the cache arrived within a duration before now.
    func hasHeardCache(within duration: Duration) -> Bool {
        let oldest = ContinuousClock.now - duration
        return state.withLock { state in
            if let announced = state.announcedAt, announced >= oldest { return true }
            return state.instances.contains { subject, health in
                subject.hasPrefix(ServiceName.cache.rawValue + "/") && health.data.isLive
                    && state.heardAt[subject].map { $0 >= oldest } ?? false
            }
        }
    }

    /// Returns the live fetcher that inspects a host, by rendezvous hashing; nil if no live fetcher is known.
    ///
    /// It is the same at each gateway, so that a fetcher notices two inspections of one host.
    func fetcher(inspecting host: String) -> InstanceName? {
        let prefix = ServiceName.fetcher.rawValue + "/"
        let live = instances.filter { $0.key.hasPrefix(prefix) && $0.value.data.isLive }.keys
        let weights = live.map { ($0, StableHash.mixed(StableHash.hash("\($0)/\(host)".utf8))) }
        let chosen = weights.max { ($0.1, $0.0) < ($1.1, $1.0) }?.0
        return chosen.flatMap { InstanceName(rawValue: String($0.dropFirst(prefix.count))) }
    }

    /// The current layout engine; nil if no instance of the layout service is live.
    var layoutEngine: LayoutInstances.Engine? { state.withLock { $0.layouts.current(at: .now) } }

    /// The layout instance to request from; nil if the request may go to any instance.
    var layoutInstance: InstanceName? { state.withLock { $0.layouts.instanceToAsk(at: .now) } }
}
