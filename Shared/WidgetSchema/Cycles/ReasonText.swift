// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension Cause {
    /// A clause that describes the cause of a cycle to a person.
    public var words: String {
        switch self {
        case .start: "the widget was new, or its service had started"
        case .refresh: "its source was due, or somebody asked for an update"
        case .interaction: "somebody pressed a button of the widget"
        case .push: "content was pushed"
        case .clock: "a time came at which the widget may look different, such as midnight"
        case .configuration: "its displays or its definition changed"
        case .removed: "the widget was removed from the configuration"
        }
    }
}

extension Update {
    /// A sentence that describes the reason for the result of a cycle to a person.
    public var words: String {
        switch reason {
        case .firstContent: return "It is the first content of the widget, so all of it is new."
        case .visibleChange:
            if changed.count == displays.count, displays.count > 1 { return "Every display changed visibly." }
            return "Displays that changed visibly: \(changed.map(\.rawValue).joined(separator: " and "))."
        case .removed: return "The widget is gone from the configuration, so its displays show nothing any more."
        case .notModified: return "The origin answered 304, so nothing can have changed."
        case .sameBytes: return "The origin sent the same bytes as before, so nothing can have changed."
        case .sameContent: return "The document changed, but not the part that the widget uses."
        case .sameRows:
            if outcome == .changed { return "The content changed, but nothing that a display shows." }
            return "Nothing that a display shows changed."
        case .fresh: return "The content was fresh, so no request was sent to the origin."
        case .missing: return "There is no content yet, so there is nothing to show."
        case .transient: return "The attempt failed, but a later one may succeed; the last content stays visible."
        case .rateLimited: return "The host asked for fewer requests; the last content stays visible."
        case .permanent:
            return "The attempt failed, and further attempts will fail until the source or its configuration changes; "
                + "the last content stays visible."
        case .malformed: return "The answer could not be understood; the last content stays visible."
        }
    }
}
