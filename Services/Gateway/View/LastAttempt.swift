// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The time and the outcome of the last attempt to fetch the content of a widget, or of the last push.
struct LastAttempt: Hashable, Sendable {
    var at: Instant
    var outcome: Outcome
    /// The times of the update that reported the attempt.
    var reported: AnnouncedFetches.ReportedFetch

    /// Creates the attempt that an update reports; nil if its cycle was caused by something else, such as a command.
    init?(_ update: Update, heard: Instant) {
        guard let committed = update.times.committed, update.times.answered != nil || update.cause == .push else {
            return nil
        }
        at = update.times.answered ?? committed
        outcome = update.outcome
        reported = AnnouncedFetches.ReportedFetch(committed: committed, heard: heard)
    }
}
