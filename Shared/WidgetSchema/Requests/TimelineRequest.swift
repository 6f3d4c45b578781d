// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Asks the layout service for a display's layouts at the next instants of visible change.
public struct TimelineRequest: RequestBody {
    public static let name = "timeline"
    public typealias Result = Timeline

    public var widget: WidgetID
    public var display: DisplayName

    public init(widget: WidgetID, display: DisplayName) {
        self.widget = widget
        self.display = display
    }
}

/// Layouts with their dates and when to ask for more, with the words of WidgetKit.
public struct Timeline: Codable, Hashable, Sendable {
    public struct Entry: Codable, Hashable, Sendable {
        public var date: Instant
        public var digest: ContentDigest
        public var layout: Layout

        public init(date: Instant, digest: ContentDigest, layout: Layout) {
            self.date = date
            self.digest = digest
            self.layout = layout
        }
    }

    /// `TimelineReloadPolicy`.
    public enum ReloadPolicy: String, Codable, CaseIterable, Sendable {
        case atEnd
        case after
        case never
    }

    public var entries: [Entry]
    public var policy: ReloadPolicy
    /// When to ask again, with policy `after`.
    public var date: Instant?

    public init(entries: [Entry], policy: ReloadPolicy, date: Instant? = nil) {
        self.entries = entries
        self.policy = policy
        self.date = date
    }
}
