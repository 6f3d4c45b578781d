// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The encoder of updates, which shortens an update that is too large for a client's frame.
enum UpdateFrame {
    /// Returns the JSON of an event, shortened if it is larger than `limit` bytes.
    ///
    /// `shortenedFrom` is the original size in bytes; nil if the JSON was not shortened. The JSON is shortened in two
    /// steps:
    ///
    /// 1. The row changes and the displays' own summaries are removed. A client then requests the whole layout.
    /// 2. If the JSON is still too large, the widget's summary and the failure's message are shortened.
    ///
    /// The verdict, the digests, the heights and the times of changes are always kept.
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

    /// The maximum number of characters of a shortened text.
    private static let longestSummary = 120
}
