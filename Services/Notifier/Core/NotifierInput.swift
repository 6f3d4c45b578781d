// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// An input of the notifier's core.
enum NotifierInput: Hashable, Sendable {
    /// A cycle was laid out.
    case laidOut(Event<LaidOut>, of: WidgetID)
    /// A heartbeat of a layout instance.
    case layoutHealth(Health, of: InstanceName)
    /// The cache's heads: the latest sequence number of each widget in the message.
    case cacheHeads([WidgetID: SequenceNumber])
    /// The answer to this service's replay request with the id `ask`.
    case replayed(ask: UInt64, Records<LaidOut>)
    /// This service's replay request with the id `ask` failed.
    case replayFailed(ask: UInt64)
    /// A request from a consumer for a replay of updates, from a sequence number of each widget on; the first value
    /// identifies the request.
    case replayRequested(UInt64, from: [WidgetID: SequenceNumber])
    /// A request for the updates after a position in the stream of all widgets.
    case updatesRequested(UInt64, since: StreamOffset)
    /// A request for the last update of each widget, in the order of their ids.
    ///
    /// If `widgets` is nil, the request is for all widgets; if `after` is not nil, only for widgets whose ids follow
    /// it.
    case snapshotRequested(UInt64, widgets: [WidgetID]?, after: WidgetID?)
    /// The subscriptions are active again after the connection was lost.
    case resubscribed
    /// The publisher is connected again after the connection was lost.
    case republishing
}
