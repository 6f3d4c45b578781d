// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The id of a request to the cache, valid until the request is answered or has failed.
typealias CacheRequestID = UInt64

/// An input of the layout core: a cycle, the result of a request to the cache, or a request from a client.
enum LayoutInput: Sendable {
    /// A cycle was committed.
    ///
    /// `content` is the frame with the cycle's content; nil if an earlier cycle of the widget introduced this
    /// content, or if the cycle has no content.
    case refreshed(Event<Refreshed>, content: Data?)
    /// The cache answered a request with a page of records.
    ///
    /// `contents` has one frame for each element of `Records.contents`, in the same order. The element contains the
    /// digest of a content, and the frame is the encoded content.
    case answered(CacheRequestID, Records<Refreshed>, contents: [Data])
    case askFailed(CacheRequestID, RequestError)
    case request(RequesterID, ClientRequest, deadline: Instant)

    /// A request from a service or a client.
    enum ClientRequest: Hashable, Sendable {
        case replay(ReplayRequest<LaidOut>)
        case render(RenderRequest)
        case timeline(TimelineRequest)
        case preview(PreviewRequest)
        case board(BoardRequest)
    }
}
