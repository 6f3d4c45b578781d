// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// An effect that the notifier performs after a commit.
enum NotifierEffect: Hashable, Sendable {
    case publish(Topic, Data)
    /// Publishes a widget's last update again, with the same bytes.
    case republish(WidgetID)
    /// Requests missing cycles from the layout service: from the named instance, or from any instance if the name is
    /// nil.
    case ask(CatchUpRequest, of: InstanceName?)
    /// Asks the cache to confirm that it made cycles.
    case confirm(CycleConfirmation.Request)
    case answerReplay(RequesterID, from: [WidgetID: SequenceNumber])
    case answerUpdates(RequesterID, since: StreamOffset)
    case refuse(RequesterID, RequestError)
    /// Answers with the last update of each of `widgets`; `end` is the position of the last update that was decided
    /// before the request.
    ///
    /// `widgets` cannot contain a widget whose first update was decided after the request, so the answer must not have
    /// the position of that update.
    case answerSnapshot(RequesterID, widgets: ArraySlice<WidgetID>, end: StreamOffset)
    case gauges(NotifierGauges)
    case note(Note)

    /// An occurrence that is counted and, unless it is frequent, logged.
    enum Note: Hashable, Sendable {
        case decided(WidgetID, SequenceNumber, UpdateResult, Reason)
        case duplicate(WidgetID)
        /// A laid-out cycle was dropped, because it is not from the current layout engine.
        ///
        /// The current engine is `LayoutInstances.current(at:)`. The engine of the dropped cycle has an older version,
        /// or other fonts; `version` is the version of the dropped one.
        case olderEngine(WidgetID, version: Int)
        case gap(WidgetID, askFrom: SequenceNumber)
        /// The cache did not make the cycles that this service had handled of these widgets, and made new ones above
        /// them.
        case denied([WidgetID])
        /// A sequence number is more than a day above the clock; a replay of the widget is requested.
        ///
        /// It is the number of a laid-out cycle, or the number that the cache reported as the widget's latest one.
        case implausible(WidgetID, SequenceNumber)
        case malformed(WidgetID, problem: String)
        /// An event with the original size `bytes` was shortened to fit into a client's frame.
        case shortened(WidgetID, bytes: Int)
    }
}

/// The gauges that the notifier reports when they change.
struct NotifierGauges: Hashable, Sendable {
    /// The number of widgets that have an update.
    var widgets: Int
    /// The number of widgets for which cycles are missing, or may be missing.
    var widgetsWithGaps: Int
    /// The number of widgets at a position that the cache has denied, and whose new cycle has not arrived yet.
    var widgetsDenied = 0
}
