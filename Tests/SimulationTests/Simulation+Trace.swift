// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension Simulation {
    /// Returns the widget of a message with a description for the trace; nil for messages without a widget.
    func describe(_ message: Message) -> (WidgetID, String)? {
        switch message.body {
        case .refreshed(let event, let content):
            guard let widget = event.widget, let range = event.range else { return nil }
            let words = "refreshed \(range) \(event.data.cause) \(event.data.outcome)"
            return (widget, words + (content == nil ? "" : " with content"))
        case .laidOut(let bytes):
            guard let event = laidOut(bytes), let widget = event.widget, let range = event.range else { return nil }
            return (widget, "laidout \(range)")
        case .update(let bytes):
            guard let event = update(bytes), let widget = event.widget, let range = event.range else { return nil }
            let changed = event.data.changed.map(\.rawValue).joined(separator: ",")
            return (widget, "update \(range) \(event.data.result.rawValue) \(changed)")
        case .layout:
            guard let head = message.layoutHead, let widget = WidgetID(rawValue: head.subject) else { return nil }
            return (widget, "layout \(head.sequence)")
        case .fetched, .cacheHeads, .notifierHeads, .layoutHealth, .schedule: return nil
        }
    }
}
