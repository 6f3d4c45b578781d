// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The configured displays.
struct DisplayCatalogue: Codable, Hashable, Sendable {
    struct Entry: Codable, Hashable, Sendable {
        var name: DisplayName
        var family: Display.Family
        var mode: Display.Mode?
        /// The width of the display in points.
        var width: Double
        var maximumHeight: Double
        var contentSizeCategory: ContentSizeCategory
        var locale: String
        var appearance: Appearance

        init(_ display: Display) {
            name = display.name
            family = display.family
            mode = display.mode
            width = display.width
            maximumHeight = display.maximumHeight
            contentSizeCategory = display.contentSizeCategory
            locale = display.locale
            appearance = display.appearance
        }
    }

    var displays: [Entry]
}

/// The sources, each with the result of its last fetch attempt.
///
/// The results are taken from the latest updates of the widgets that use the source.
struct SourceList: Codable, Hashable, Sendable {
    struct Entry: Codable, Hashable, Sendable {
        /// The URL of the source, with `…` in place of its query; `push` if the content is pushed.
        var address: String
        var widgets: [WidgetID] = []
        var intervalSeconds: Int64?
        var outcome: Outcome?
        /// The time of the last attempt's outcome, or of the last push; absent if it is unknown.
        var lastAnswer: Instant?
        /// The time of the next fetch attempt, which is never in the past; absent if there will be none by itself.
        ///
        /// The time is that of the cache's fetch schedule. If that is unknown, it is the time of the last answer plus the
        /// configured interval, or that of the failure's property `nextAttempt`.
        var nextCheck: Instant?
        /// The state of the next fetch; absent if the content is pushed, or if the next fetch is unknown.
        var state: PlannedFetch.State?
        /// True if the source is fetched just before a panel shows it.
        var whenShown: Bool?
        /// The time since which the source is due; absent if it is not due.
        var dueSince: Instant?
        /// The end of the pause that the host has asked for; absent if there is none.
        var blockedUntil: Instant?
        var failure: AttemptFailure?
        /// The number of widgets that use this source and whose last fetch attempt failed.
        var failing = 0

        /// The latest attempt that an update of one of the widgets has reported.
        private var attempt: LastAttempt?

        private enum CodingKeys: String, CodingKey {
            case address, widgets, intervalSeconds, outcome, lastAnswer, nextCheck, state, whenShown, dueSince
            case blockedUntil, failure, failing
        }

        init(address: String) { self.address = address }

        /// Adds the data of one widget's latest update to this entry.
        ///
        /// `attempt` is the widget's last attempt, and `planned` the time of the next one by the configured interval.
        /// Must be called at most once for each widget.
        mutating func take(_ update: Update, _ attempt: LastAttempt?, planned: Instant?) {
            if let failure = update.failure {
                failing += 1
                self.failure = failure
            }
            if let attempt, self.attempt.map({ attempt.reported.committed > $0.reported.committed }) ?? true {
                self.attempt = attempt
                (lastAnswer, outcome) = (attempt.at, attempt.outcome)
            }
            if let planned { nextCheck = min(nextCheck ?? planned, planned) }
        }

        /// Replaces the times by those of the cache's plan, unless the plan is unknown or older than the last attempt.
        mutating func apply(_ fetches: AnnouncedFetches, of source: SourceID, now: Instant) {
            let planned = nextCheck
            if let fetch = fetches.fetch(of: source, after: attempt?.reported, at: now) {
                state = fetch.state
                whenShown = fetch.whenShown == nil ? nil : true
                nextCheck = fetches.nextAttempt(fetch, at: now)
                lastAnswer = fetch.lastAttempt
                blockedUntil = fetch.host.flatMap { fetches.blockedUntil($0, at: now) }
                dueSince = blockedUntil == nil ? fetch.next.flatMap { $0 <= now ? $0 : nil } : nil
            } else {
                nextCheck = planned.map { AnnouncedFetches.notPast($0, at: now) }
                dueSince = planned.flatMap { $0 <= now ? $0 : nil }
            }
            failure?.nextAttempt = nextCheck
        }
    }

    var sources: [Entry]
}

/// The data of the operations page, except health and sources.
struct OperationsReport: Codable, Hashable, Sendable {
    var at: Instant
    var startedAt: Instant
    /// The number of configured widgets.
    var widgets: Int
    var minutes: [UpdateHistory.Minute]
    /// The gateway's own counters.
    var counters: [String: Int64]
    /// The gateway's own gauges.
    var gauges: [String: Int64]
    /// The warnings about the configuration.
    var warnings: [String]
}
