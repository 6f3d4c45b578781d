// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A gateway's request to the cache to fetch sources just before somebody looks at their widgets.
///
/// It concerns only sources that are fetched when they are shown. The earliest time of all requests counts. A repeated
/// request changes nothing. The cache answers registered gateways only.
public struct ShownRequest: RequestBody {
    public static let name = "shown"
    public typealias Result = ShownAnswer

    /// The maximum number of widgets in a request.
    public static let maximumWidgets = 1_000
    /// The maximum time between the request and ``at``.
    public static let longestNotice: Duration = .seconds(48 * 3_600)

    public var widgets: [WidgetID]
    /// The earliest time at which somebody may look at the widgets.
    public var at: Instant

    public init(widgets: [WidgetID], at instant: Instant) {
        self.widgets = widgets
        at = instant
    }
}

/// The answer to a ``ShownRequest``.
public struct ShownAnswer: Codable, Hashable, Sendable {
    /// The widgets whose source will be fetched for the request.
    ///
    /// Other widgets are unknown, are fetched at their interval, or have content that cannot be newer by then.
    public var wanted: [WidgetID]

    public init(wanted: [WidgetID]) { self.wanted = wanted }
}
