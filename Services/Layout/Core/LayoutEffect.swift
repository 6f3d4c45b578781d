// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// An effect of the layout core; effects are performed in order.
enum LayoutEffect: Hashable, Sendable {
    case publish(Topic, Data)
    case publishLayout(LayoutPublication)
    case ask(CacheRequestID, CacheRequest, timeout: Duration)
    /// Replies to a client's request; the data is the complete JSON `{"result": …}`.
    case reply(RequesterID, Data)
    /// Paints a picture, then replies.
    case paint(PaintJob)
    case refuse(RequesterID, RequestError)
    case report(Report)
    /// Reports the total values of the counters that have changed, by the counters' names in metrics.
    case counts([String: Int64])

    /// A request to the cache.
    enum CacheRequest: Hashable, Sendable {
        case replay(ReplayRequest<Refreshed>)
        case snapshot(SnapshotRequest<Refreshed>)
    }

    /// An occurrence that is logged.
    enum Report: Hashable, Sendable {
        /// An event was dropped because it has no widget or no sequence number; `id` is the id of the event.
        case notOfAStream(id: String)
        /// A cycle was dropped because its sequence number is more than a day above the clock.
        case implausible(WidgetID, SequenceNumber)
        /// A content was dropped because it does not have the expected digest.
        ///
        /// The sequence number is that of the content's cycle, or zero if the content was in an answer of the cache.
        /// The last value is the expected digest.
        case contentRefused(WidgetID, SequenceNumber, ContentDigest)
        /// The missing content of a cycle was requested from the cache.
        case contentAsked(WidgetID, SequenceNumber)
        /// Cycles were not laid out because their content was not available.
        ///
        /// The error is that of the request to the cache; nil if no request has failed.
        case cyclesDropped(WidgetID, count: Int, RequestError?)
        case cannotWrite(WidgetID, WireError)
    }
}
