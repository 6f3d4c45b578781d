// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import MessageBus
import ServiceRuntime
import WidgetSchema

/// The planned fetch of one source, as the cache has announced it.
struct AnnouncedFetch: Encodable, Hashable, Sendable {
    /// The maximum time for which the announcement is awaited; with up to 400 sources, it comes within a second.
    static let timeout: Duration = .seconds(2)

    var planned: PlannedFetch
    /// The time of the next attempt, the pause of the host included; nil if there will be none by itself.
    var nextAttempt: Instant?
    /// The end of the pause that the host has asked for; nil if it has asked for no pause.
    var blockedUntil: Instant?

    /// Waits for the announcement of a source and returns it; returns nil if none comes in time.
    ///
    /// The session must be subscribed to ``Topic/Prefix/schedule``.
    static func next(of source: SourceID, _ session: BusSession) -> AnnouncedFetch? {
        let deadline = ContinuousClock.now + timeout
        var fetches = AnnouncedFetches()
        while let event = session.next(until: deadline) {
            guard case .message(let message) = event else {
                if case .ended = event { return nil }
                continue
            }
            guard let json = message.frames.first,
                let schedule = try? WireJSON.decode(Event<SourceSchedule>.self, from: json).data
            else { continue }
            fetches.take(schedule, at: .now)
            guard let planned = fetches.fetch(of: source, at: .now) else { continue }
            return AnnouncedFetch(
                planned: planned,
                nextAttempt: fetches.nextAttempt(planned, at: .now),
                blockedUntil: planned.host.flatMap { fetches.blockedUntil($0, at: .now) }
            )
        }
        return nil
    }

    /// A description of the next attempt for a person.
    var words: String {
        switch planned.state {
        case .running: "running now"
        case .gone where planned.isResting: "just before a panel wakes that shows it; no wake is known"
        case .gone: "only when somebody refreshes the widget, because the source is gone"
        case .scheduled:
            if let blockedUntil, blockedUntil == nextAttempt {
                "\(blockedUntil), when the pause ends that the host has asked for"
            } else if let next = planned.next, next <= .now {
                "due since \(next)"
            } else {
                nextAttempt.map { "\($0)" } ?? "unknown"
            }
        }
    }
}
