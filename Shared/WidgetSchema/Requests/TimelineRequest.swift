// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the layout service for the timeline of a widget on one display.
///
/// The timeline contains the current layout, and the layouts for the next times at which the widget will look
/// different.
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

/// A series of layouts, each with its date, and the rule for the time of the next request.
///
/// The names of the properties are those of WidgetKit.
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

    /// The rule for the time of the next request, as in `TimelineReloadPolicy`.
    ///
    /// The timeline is requested again after the last entry, after ``Timeline/date``, or never.
    public enum ReloadPolicy: String, Codable, CaseIterable, Sendable {
        case atEnd
        case after
        case never
    }

    public var entries: [Entry]
    public var policy: ReloadPolicy
    /// The time of the next request if the policy is `after`; nil for the other policies.
    public var date: Instant?

    public init(entries: [Entry], policy: ReloadPolicy, date: Instant? = nil) {
        self.entries = entries
        self.policy = policy
        self.date = date
    }
}
