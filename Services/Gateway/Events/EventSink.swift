// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WebServer

/// The connection to one reader of events: a stream of the web server, or a simulated one.
protocol EventSink: AnyObject {
    /// A Boolean value that indicates whether the next chunk would be sent immediately instead of being stored.
    var isDrained: Bool { get }
    var isEnded: Bool { get }
    /// Sends, stores or rejects a chunk, and returns which of these was done.
    ///
    /// A stored chunk is sent when the connection accepts it. A chunk is rejected if too many bytes are pending, or if
    /// the stream has ended.
    @discardableResult
    func write(_ chunk: WebChunk) -> WebStream.WriteResult
    /// Ends the stream after all pending chunks are sent.
    func finish()
}

extension WebStream: EventSink {}
