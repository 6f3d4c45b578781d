// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Synchronization
import WidgetSchema

/// The latest update of each widget and the last heartbeat of each instance.
///
/// The gateway's thread writes them, and the handlers of HTTP requests read them.
final class BusView: Sendable {
    private struct State {
        var latest: [WidgetID: StreamedUpdate] = [:]
        /// The time of the last visible change of each widget on each display, in Unix seconds.
        ///
        /// If no change has been seen yet, it is the time at which the widget was first seen on the display.
        var changed: [WidgetID: [DisplayName: Int64]] = [:]
        /// The ids of all known widgets, in ascending order; nil if they must be sorted again.
        var sorted: [WidgetID]?
        var isReady = false
        var instances: [String: Event<Health>] = [:]
        /// The times at which the heartbeats in `instances` arrived.
        var heardAt: [String: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    var isReady: Bool { state.withLock(\.isReady) }

    func setReady() { state.withLock { $0.isReady = true } }

    func take(_ update: StreamedUpdate) {
        state.withLock { state in
            // A replay may contain an update that is older than the one in the snapshot.
            if let known = state.latest[update.widget], known.range.sequence > update.range.sequence { return }
            if update.isRemoval {
                if state.latest.removeValue(forKey: update.widget) != nil { state.sorted = nil }
                return
            }
            let earlier = state.latest[update.widget]
            Self.note(update, after: earlier, in: &state.changed[update.widget, default: [:]])
            if state.latest.updateValue(update, forKey: update.widget) == nil {
                state.sorted = nil
            }
        }
    }

    subscript(widget: WidgetID) -> StreamedUpdate? { state.withLock { $0.latest[widget] } }

    /// Returns the time of a widget's last visible change on a display, in Unix seconds.
    ///
    /// Returns nil if no update of the widget has contained this display.
    func changed(_ widget: WidgetID, _ display: DisplayName) -> Int64? {
        state.withLock { $0.changed[widget]?[display] }
    }

    private static func note(
        _ update: StreamedUpdate,
        after earlier: StreamedUpdate?,
        in changed: inout [DisplayName: Int64]
    ) {
        let data = update.event.data
        guard let decided = data.times.decided ?? data.times.committed else { return }
        let seconds = decided.milliseconds / 1000
        for (display, shown) in data.displays {
            if let before = changed[display] {
                // The digests are compared because an update without content lists no changed display, even if the
                // placeholder is new. Each change advances the time by at least a second, because clients compare dates
                // in whole seconds.
                if earlier?.event.data.displays[display]?.digest != shown.digest {
                    changed[display] = max(seconds, before + 1)
                }
            } else {
                changed[display] = seconds
            }
        }
    }

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
            for widget in sorted[Self.start(in: sorted, after: after)...] {
                guard let update = state.latest[widget], isIncluded(update) else { continue }
                if found.count == limit { return (found, true) }
                found.append(update)
            }
            return (found, false)
        }
    }

    /// Returns the index of the first id in `sorted` that is greater than `after`; 0 if `after` is nil.
    private static func start(in sorted: [WidgetID], after: WidgetID?) -> Int {
        guard let after else { return 0 }
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] > after { high = middle } else { low = middle + 1 }
        }
        return low
    }

    // MARK: Instances

    /// The maximum number of instances whose heartbeats are stored.
    static let maximumInstances = 1024

    func take(_ health: Event<Health>) {
        guard let subject = health.subject else { return }
        state.withLock { state in
            guard state.instances[subject] != nil || state.instances.count < Self.maximumInstances else { return }
            state.instances[subject] = health
            state.heardAt[subject] = .now
        }
    }

    /// The last heartbeat of each instance; the keys are the subjects of the heartbeat events.
    var instances: [String: Event<Health>] { state.withLock(\.instances) }

    /// Returns whether a heartbeat of a live instance of a service arrived within a duration before now.
    func hasHeard(_ service: ServiceName, within duration: Duration) -> Bool {
        let oldest = ContinuousClock.now - duration
        return state.withLock { state in
            state.instances.contains { subject, health in
                subject.hasPrefix(service.rawValue + "/") && health.data.isLive
                    && state.heardAt[subject].map { $0 >= oldest } ?? false
            }
        }
    }

    /// The newest version of the layout engine that a live instance of the layout service reports; 0 if none is live.
    var layoutEngine: Int64 {
        state.withLock { state in
            state.instances.values.filter { $0.data.state != .gone && $0.data.state != .stopping }
                .compactMap { $0.data.layoutEngineVersion }.max() ?? 0
        }
    }
}
