// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The bytes of an update, kept within a client's frame.
enum UpdateFrame {
    /// An event's JSON, and how many bytes it had where it had to be made shorter.
    ///
    /// What is least needed goes first: row changes (a client that has none takes the layout whole) and the displays' own
    /// summaries, then the summary and
    /// the failure's sentence. The verdict, the digests and the heights stay.
    static func encode(
        _ event: Event<Update>,
        limit: Int = MessageLimits.clientFrame
    ) throws(WireError) -> (bytes: Data, shortenedFrom: Int?) {
        let whole = try WireJSON.encode(event)
        guard whole.count > limit else { return (whole, nil) }
        var event = event
        for name in event.data.displays.keys {
            event.data.displays[name]?.rowChanges = nil
            event.data.displays[name]?.summary = nil
        }
        var bytes = try WireJSON.encode(event)
        if bytes.count > limit {
            event.data.summary = String(event.data.summary.prefix(longestSummary))
            if let message = event.data.failure?.message {
                event.data.failure?.message = String(message.prefix(longestSummary))
            }
            bytes = try WireJSON.encode(event)
        }
        return (bytes, whole.count)
    }

    /// How many characters stay of a text that is too long.
    private static let longestSummary = 120
}
