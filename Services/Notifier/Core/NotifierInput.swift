// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// An input of the notifier's core.
enum NotifierInput: Hashable, Sendable {
    /// A cycle was laid out.
    case laidOut(Event<LaidOut>, of: WidgetID)
    /// A heartbeat of a layout instance.
    case layoutHealth(Health, of: InstanceName)
    /// The cache's heads.
    case cacheHeads([WidgetID: SequenceNumber])
    /// The answer to a replay request.
    case replayed(ask: UInt64, Records<LaidOut>)
    /// A replay request failed.
    case replayFailed(ask: UInt64)
    /// A request for a replay of updates; the number identifies the request.
    case replayRequested(UInt64, from: [WidgetID: SequenceNumber])
    /// A request for the updates after a position in the stream of all widgets.
    case updatesRequested(UInt64, since: StreamOffset)
    /// A request for the last updates.
    case snapshotRequested(UInt64, widgets: [WidgetID]?, after: WidgetID?)
    /// The subscriptions are active again after the connection was lost.
    case resubscribed
    /// The publisher is connected again after the connection was lost.
    case republishing
}
