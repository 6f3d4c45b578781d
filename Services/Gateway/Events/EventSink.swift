// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WebServer

/// The connection to one reader of events: a stream of the web server, or its substitute in a simulation.
protocol EventSink: AnyObject {
    /// A Boolean value that indicates whether a chunk would go out at once.
    var isDrained: Bool { get }
    var isEnded: Bool { get }
    /// Sends a chunk, or keeps it for later.
    @discardableResult
    func write(_ chunk: WebChunk) -> WebStream.Outcome
    /// Ends the stream in order once everything that waits is sent.
    func finish()
}

extension WebStream: EventSink {}
