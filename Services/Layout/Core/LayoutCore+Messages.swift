// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

extension LayoutCore {
    /// Names a question to the cache until it is answered.
    struct AskID: Hashable, Sendable {
        let number: UInt64
    }

    /// The id of a request until it is answered; the adapter assigns it.
    struct ReplyID: Hashable, Sendable {
        let number: UInt64
    }

    /// An input of the layout core.
    enum Input: Sendable {
        /// A cycle was committed; the frame is its content, or nil if that is not new.
        case refreshed(Event<Refreshed>, content: Data?)
        /// The cache answered; the frames are the contents that the page names, in its order.
        case answered(AskID, Records<Refreshed>, contents: [Data])
        case askFailed(AskID, RequestError)
        case request(ReplyID, Query, deadline: Instant)
    }

    /// A request of another service or client.
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

    /// An effect of the layout core, in order.
    enum Effect: Hashable, Sendable {
        case publish(Topic, Data)
        case ask(AskID, Question, deadlineMilliseconds: Int)
        /// `{"result": …}` as JSON.
        case reply(ReplyID, Data)
        /// Draw, then reply.
        case paint(PaintJob)
        case refuse(ReplyID, RequestError)
        case report(Report)
        /// The values of the core's counters that have changed.
        case counts([String: Int64])
    }

    /// An event that is logged.
    enum Report: Hashable, Sendable {
        /// The event names no widget or no cycle.
        case notOfAStream(id: String)
        /// The number is one that the cache cannot have given; the event was dropped.
        case implausible(WidgetID, SequenceNumber)
        /// The frame does not have the digest it is named by.
        case contentRefused(WidgetID, SequenceNumber, ContentDigest)
        /// A missing content was requested from the cache.
        case contentAsked(WidgetID, SequenceNumber)
        /// The cycles are not laid out: the cache did not give their content.
        case cyclesDropped(WidgetID, count: Int, RequestError?)
        case cannotWrite(WidgetID, WireError)
    }
}
