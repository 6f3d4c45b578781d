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
    /// Returns the reason for the result of a cycle, as sentences for a person.
    ///
    /// `pushedWidget` is the id of the widget if its content is pushed; nil if its content is fetched, or if this is
    /// unknown. `isFileMissing` is true if the content comes from a file that does not exist.
    public func words(pushedWidget: WidgetID? = nil, isFileMissing: Bool = false) -> String {
        switch reason {
        case .firstContent: return "It is the first content of the widget, so all of it is new."
        case .visibleChange:
            if changed.isEmpty { return "The widget changed visibly." }
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
        case .blocked:
            let end = blockedUntil.map { " until \($0)" } ?? ""
            return "The host asked for no requests\(end), so no request was sent to the origin."
        case .missing:
            if isFileMissing {
                return "The file does not exist yet, so there is nothing to show. It is read as soon as it exists."
            }
            guard let pushedWidget else { return "There is no content yet, so there is nothing to show." }
            return "No content was pushed yet. Push it with 'tidings push \(pushedWidget) FILE', or with "
                + "PUT /v1/widgets/\(pushedWidget)/content."
        case .transient, .rateLimited, .permanent, .malformed:
            return "\(failure?.sentence ?? "The attempt failed.") \(failureEffect)"
        }
    }

    /// The sentences that describe what displays show after a failure, and whether later attempts may succeed.
    private var failureEffect: String {
        var effect = "There is no content yet, so there is nothing to show."
        if contentDate != nil { effect = hasContent ? "The last content stays visible." : "The widget stays hidden." }
        guard reason == .permanent else { return effect }
        return effect + " Attempts will fail until the source or its configuration changes."
    }
}
