// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
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
        var lastAnswer: Instant?
        /// The planned time of the next fetch attempt; absent if the content is pushed or no attempt is known.
        ///
        /// Each widget that uses the source has its own planned time, and this is the earliest one. If the last attempt
        /// failed, the planned time is the failure's property `nextAttempt`. If it succeeded or `nextAttempt` is
        /// absent, the planned time is the time of the last answer plus the widget's configured interval.
        var nextCheck: Instant?
        var failure: AttemptFailure?
        /// The number of widgets that use this source and whose last fetch attempt failed.
        var failing = 0

        init(address: String) { self.address = address }

        /// Adds the data of one widget's latest update to this entry.
        ///
        /// `update` is the latest update of `widget`, and `widget` is one of this entry's `widgets`. Must be called at
        /// most once for each widget.
        mutating func take(_ update: Update, _ widget: TidingsConfiguration.Widget) {
            if let failure = update.failure {
                failing += 1
                self.failure = failure
            }
            guard let answered = update.times.answered ?? update.times.committed else { return }
            if lastAnswer.map({ answered > $0 }) ?? true {
                lastAnswer = answered
                outcome = update.outcome
            }
            guard widget.source != nil else { return }
            let planned =
                update.failure?.nextAttempt
                ?? answered.advanced(byMilliseconds: widget.interval.components.seconds * 1_000)
            nextCheck = min(nextCheck ?? planned, planned)
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
