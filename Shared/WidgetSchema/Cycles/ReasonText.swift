// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension Cause {
    /// The cause of the cycle, as a clause.
    public var words: String {
        switch self {
        case .start: "the widget was new, or its service had started"
        case .refresh: "its source was due, or somebody asked for an update"
        case .interaction: "somebody pressed a button of the widget"
        case .push: "content was pushed"
        case .clock: "a moment came at which what it shows may change"
        case .configuration: "its displays or its definition changed"
        case .removed: "the widget was removed from the configuration"
        }
    }
}

extension Update {
    /// The reason for the verdict, as a sentence.
    public var words: String {
        switch reason {
        case .firstContent: return "It is the first content of the widget, so all of it is new."
        case .visibleChange:
            if changed.count == displays.count, displays.count > 1 { return "What every display shows changed." }
            return "What \(changed.map(\.rawValue).joined(separator: " and ")) shows changed."
        case .removed: return "The widget is gone from the configuration, so its displays show nothing any more."
        case .notModified: return "The origin answered 304, so nothing can have changed."
        case .sameBytes: return "The origin sent the same bytes as before, so nothing can have changed."
        case .sameContent: return "The bytes changed, but not what the widget keeps of them."
        case .sameRows:
            if outcome == .changed { return "The content changed, but nothing that a display shows." }
            return "Nothing that a display shows changed."
        case .fresh: return "What is there was fresh enough, so the origin was not asked."
        case .missing: return "There is no content yet, so there is nothing to show."
        case .transient: return "The attempt failed in a way that may pass; what was there stays on show."
        case .rateLimited: return "The host asked for fewer requests; what was there stays on show."
        case .permanent:
            return "The attempt failed, and will until somebody changes something; what was there stays on show."
        case .malformed: return "The answer could not be understood; what was there stays on show."
        }
    }
}
