// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

extension LayoutCore {
    /// The id of a request to the cache, valid until the request is answered or has failed.
    typealias QuestionID = UInt64

    /// The id of a client's request, assigned by the adapter and valid until the request is answered.
    typealias ReplyID = UInt64

    /// An input of the layout core: a cycle, the result of a request to the cache, or a request from a client.
    enum Input: Sendable {
        /// A cycle was committed.
        ///
        /// `content` is the frame with the cycle's content; nil if an earlier cycle of the widget introduced this
        /// content, or if the cycle has no content.
        case refreshed(Event<Refreshed>, content: Data?)
        /// The cache answered a request with a page of records.
        ///
        /// `contents` has one frame for each element of `Records.contents`, in the same order. The element contains the
        /// digest of a content, and the frame is the encoded content.
        case answered(QuestionID, Records<Refreshed>, contents: [Data])
        case askFailed(QuestionID, RequestError)
        case request(ReplyID, Query, deadline: Instant)
    }

    /// A request from a service or a client.
    enum Query: Hashable, Sendable {
        case replay(ReplayRequest<LaidOut>)
        case render(RenderRequest)
        case timeline(TimelineRequest)
        case preview(PreviewRequest)
        case board(BoardRequest)
    }

    /// A request to the cache.
    enum Question: Hashable, Sendable {
        case replay(ReplayRequest<Refreshed>)
        case snapshot(SnapshotRequest<Refreshed>)
    }

    /// An effect of the layout core; effects are performed in order.
    enum Effect: Hashable, Sendable {
        case publish(Topic, Data)
        case publishLayout(LayoutPublication)
        case ask(QuestionID, Question, timeout: Duration)
        /// Replies to a client's request; the data is the complete JSON `{"result": …}`.
        case reply(ReplyID, Data)
        /// Draws a picture, then replies.
        case paint(PaintJob)
        case refuse(ReplyID, RequestError)
        case report(Report)
        /// Reports the total values of the counters that have changed, by the counters' names in metrics.
        case counts([String: Int64])
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
