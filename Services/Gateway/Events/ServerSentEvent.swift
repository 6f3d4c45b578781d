// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WebServer
import WidgetSchema

/// The bytes of server-sent events (WHATWG HTML §9.2).
enum ServerSentEvent {
    /// Returns the bytes of an event; if `id` is nil, the event has no id.
    static func bytes(_ name: String, id: StreamOffset?, data: Data) -> Data {
        var bytes = Data()
        bytes.reserveCapacity(data.count + 96)
        if let id { bytes.append(contentsOf: "id: \(id)\n".utf8) }
        bytes.append(contentsOf: "event: \(name)\n".utf8)
        // A line break within the data would end the field.
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            bytes.append(contentsOf: "data: ".utf8)
            bytes.append(line)
            bytes.append(0x0A)
        }
        bytes.append(0x0A)
        return bytes
    }

    /// Returns a heartbeat: a comment that keeps the connection open, and the event id `id`.
    ///
    /// All updates up to this id were sent to the reader. A browser stores the id as its last event id. It dispatches
    /// no event, because there is no data.
    static func heartbeat(_ id: StreamOffset) -> WebChunk { WebChunk(": heartbeat\nid: \(id)\n\n") }

    /// Returns an event without data, which only sets the reader's last event id.
    static func position(_ id: StreamOffset) -> Data { Data("id: \(id)\n\n".utf8) }

    /// Returns the field that sets the pause before a browser reconnects.
    static func retry(after interval: Duration) -> Data { Data("retry: \(interval.wholeMilliseconds)\n\n".utf8) }
}
