// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// An input of the notifier's core: a message from the bus, the result of a replay request, or a client's request.
enum NotifierInput: Hashable, Sendable {
    /// A cycle was laid out.
    case laidOut(Event<LaidOut>, of: WidgetID)
    /// An instance of the layout service published a heartbeat.
    case layoutHealth(Health, of: InstanceName)
    /// The cache published heads: the latest sequence number of each widget in the message.
    case cacheHeads([WidgetID: SequenceNumber])
    /// The layout service answered this service's replay request with the id `ask`.
    case replayed(ask: UInt64, Records<LaidOut>)
    /// This service's replay request with the id `ask` failed.
    case replayFailed(ask: UInt64)
    /// The cache answered this service's request with the id `request`.
    case confirmed(request: UInt64, ConfirmAnswer)
    /// This service's request with the id `request` failed.
    case confirmFailed(request: UInt64)
    /// A consumer requested a replay: the updates of each widget in `from`, beginning with the sequence number in
    /// `from`.
    case replayRequested(RequesterID, from: [WidgetID: SequenceNumber])
    /// A consumer requested the updates of all widgets after a position in the stream.
    case updatesRequested(RequesterID, since: StreamOffset)
    /// A consumer requested the last update of each widget, in ascending order of the widgets' ids.
    ///
    /// If `widgets` is nil, the request is for all widgets. If `after` is not nil, only widgets whose ids follow `after`
    /// are requested.
    case snapshotRequested(RequesterID, widgets: [WidgetID]?, after: WidgetID?)
    /// The subscriptions on the bus are active again after the connection was lost; cycles may have been missed.
    case resubscribed
    /// The connection for publishing to the bus is restored after it was lost; published updates may not have arrived.
    case publisherReconnected
}
