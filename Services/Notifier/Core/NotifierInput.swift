// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What the notifier hears, in the words of the contract.
enum NotifierInput: Hashable, Sendable {
    /// A cycle was laid out.
    case laidOut(Event<LaidOut>, of: WidgetID)
    /// How an instance of the layout service is.
    case layoutHealth(Health, of: InstanceName)
    /// How far the cache has come.
    case cacheHeads([WidgetID: SequenceNumber])
    /// The answer to an ask.
    case replayed(ask: UInt64, Records<LaidOut>)
    /// An ask that has no answer.
    case replayFailed(ask: UInt64)
    /// Somebody wants updates again; the number names the request.
    case replayRequested(UInt64, from: [WidgetID: SequenceNumber])
    /// Somebody wants the updates behind a position in the stream of all widgets.
    case updatesRequested(UInt64, since: StreamOffset)
    /// Somebody wants the last updates.
    case snapshotRequested(UInt64, widgets: [WidgetID]?, after: WidgetID?)
    /// The subscriptions hold again after the connection was lost.
    case resubscribed
    /// The publisher is connected again after the connection was lost.
    case republishing
}
