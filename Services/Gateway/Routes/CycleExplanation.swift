// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// One cycle with the times at which it passed each service.
struct CycleExplanation: Codable, Hashable, Sendable {
    /// One step of a cycle: the origin or a service, and the time at which it finished its work for the cycle.
    struct Hop: Codable, Hashable, Sendable {
        enum Name: String, Codable, Sendable {
            /// The attempt ended, perhaps without an answer of the origin.
            case attempted
            case answered
            case committed
            case laidOut
            case decided
        }

        var name: Name
        /// The name of the service, or `origin`.
        var by: String
        var at: Instant
        /// The time since the previous hop, in milliseconds; absent for the first hop.
        var milliseconds: Int64?
    }

    /// The cycle as the cache committed it.
    struct Committed: Codable, Hashable, Sendable {
        var expanded: Bool
        /// The sequence number of the cycle that introduced the content; absent if the widget has no content yet.
        var contentSequence: SequenceNumber?
        /// The time at which the origin sent the content.
        var contentDate: Instant?
    }

    /// The data that the layout service adds to the cycle.
    struct LaidOutCycle: Codable, Hashable, Sendable {
        /// The version of the layout engine that laid out the cycle.
        var engine: Int
    }

    var widget: WidgetID
    var update: Event<Update>
    /// The widget's update before `update`; absent if the notifier does not store it.
    ///
    /// Always absent for the first update of a widget. May also be absent if `update` covers more than one cycle.
    var previous: Event<Update>?
    /// Sentences with the reason for the verdict on the cycle, for example that every display changed visibly.
    var verdict: String
    /// The cause of the cycle as a clause, such as "content was pushed".
    var because: String
    /// The hops of the cycle in order of time; a service that has not handled the cycle is absent.
    var hops: [Hop]
    /// The cycle in the cache; absent if the cache does not store it or does not answer.
    var committed: Committed?
    /// The data from the layout service; absent if the service can no longer draw the cycle or does not answer.
    var laidOut: LaidOutCycle?
    /// The time of the next attempt to fetch the widget's content; absent if there will be none by itself.
    var nextAttempt: Instant?
    /// The next time at which the widget may look different without new content; absent if there is none.
    var nextCertainChange: Instant?

    init(
        widget: WidgetID,
        update: Event<Update>,
        previous: Event<Update>?,
        committed: Event<Refreshed>?,
        laidOut: Event<LaidOut>?
    ) {
        self.widget = widget
        self.update = update
        self.previous = previous
        let isFileMissing = committed?.data.isMissing == true
        let pushedWidget = committed?.data.isPushed == true ? widget : nil
        verdict = update.data.words(pushedWidget: pushedWidget, isFileMissing: isFileMissing)
        because = update.data.cause.words
        hops = Self.hops(update.data, isFileMissing: isFileMissing)
        self.committed = committed.map { event in
            Committed(
                expanded: event.data.interaction.expanded,
                contentSequence: event.data.contentSequence,
                contentDate: event.data.contentDate
            )
        }
        self.laidOut = laidOut.map { LaidOutCycle(engine: $0.data.engine.version) }
    }

    private static func hops(_ update: Update, isFileMissing: Bool) -> [Hop] {
        let times = update.times
        let isAnswered = !isFileMissing && (update.outcome != .failed || update.failure?.hasAnswer == true)
        let passed: [(Hop.Name, String, Instant?)] = [
            isAnswered
                ? (.answered, "origin", times.answered) : (.attempted, ServiceName.fetcher.rawValue, times.answered),
            (.committed, ServiceName.cache.rawValue, times.committed),
            (.laidOut, ServiceName.layout.rawValue, times.laidOut),
            (.decided, ServiceName.notifier.rawValue, times.decided),
        ]
        var hops: [Hop] = []
        for (name, service, instant) in passed {
            guard let instant else { continue }
            let milliseconds = hops.last.map { max(0, instant.milliseconds(since: $0.at)) }
            hops.append(Hop(name: name, by: service, at: instant, milliseconds: milliseconds))
        }
        return hops
    }
}
