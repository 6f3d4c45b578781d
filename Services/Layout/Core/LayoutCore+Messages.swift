// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

extension LayoutCore {
    /// The id of a request to the cache, valid until the cache has answered.
    struct QuestionID: Hashable, Sendable {
        let number: UInt64
    }

    /// The id of a client's request, assigned by the adapter and valid until the request is answered.
    struct ReplyID: Hashable, Sendable {
        let number: UInt64
    }

    /// An input of the layout core: a cycle, the result of a request to the cache, or a request from a client.
    enum Input: Sendable {
        /// A cycle was committed.
        ///
        /// `content` is the frame with the cycle's content; nil if the content is not new.
        case refreshed(Event<Refreshed>, content: Data?)
        /// The cache answered.
        ///
        /// `contents` are the frames of the contents that the records refer to, in the order of the references.
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
    }

    /// A request to the cache.
    enum Question: Hashable, Sendable {
        case replay(ReplayRequest<Refreshed>)
        case snapshot(SnapshotRequest<Refreshed>)
    }

    /// An effect of the layout core; effects are performed in order.
    enum Effect: Hashable, Sendable {
        case publish(Topic, Data)
        case ask(QuestionID, Question, timeout: Duration)
        /// Replies with `{"result": …}` as JSON.
        case reply(ReplyID, Data)
        /// Draws a picture, then replies.
        case paint(PaintJob)
        case refuse(ReplyID, RequestError)
        case report(Report)
        /// Reports the counters that have changed.
        case counts([String: Int64])
    }

    /// An occurrence that is logged.
    enum Report: Hashable, Sendable {
        /// An event without a widget or without sequence numbers.
        case notOfAStream(id: String)
        /// A sequence number that the cache cannot have assigned; the event was dropped.
        case implausible(WidgetID, SequenceNumber)
        /// A frame with a content whose digest is not the one in the event.
        case contentRefused(WidgetID, SequenceNumber, ContentDigest)
        /// A request to the cache for a missing content.
        case contentAsked(WidgetID, SequenceNumber)
        /// Cycles that are not laid out, because the cache did not send their content.
        ///
        /// The error is that of the request to the cache; nil if the cache answered without the content.
        case cyclesDropped(WidgetID, count: Int, RequestError?)
        case cannotWrite(WidgetID, WireError)
    }
}
