// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WebServer

/// The connection to one reader of events: a stream of the web server, or a simulated one.
protocol EventSink: AnyObject {
    /// A Boolean value that indicates whether the next chunk would be sent immediately instead of being stored.
    var isDrained: Bool { get }
    var isEnded: Bool { get }
    /// Sends a chunk, or stores the chunk until the connection accepts it; returns what was done with the chunk.
    @discardableResult
    func write(_ chunk: WebChunk) -> WebStream.Outcome
    /// Ends the stream after all pending chunks are sent.
    func finish()
}

extension WebStream: EventSink {}
