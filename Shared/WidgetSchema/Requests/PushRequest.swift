// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request that sends content for a widget to the cache, by hand or from a script.
///
/// The counter, one per client and widget, makes it idempotent and orders the pushes of a client.
public struct PushRequest: RequestBody {
    public static let name = "push"
    public typealias Result = CycleAnswer

    public var client: String
    public var counter: UInt64
    public var widget: WidgetID
    public var content: Content
    /// A Boolean value that indicates whether hosts should show the widget; nil if the content decides.
    public var hasContent: Bool?
    /// The digest of what the client sent; the same client and counter with another one are `reused`.
    ///
    /// Absent: only the counter tells a repetition.
    public var bodyDigest: ContentDigest?

    public init(
        client: String,
        counter: UInt64,
        widget: WidgetID,
        content: Content,
        hasContent: Bool? = nil,
        bodyDigest: ContentDigest? = nil
    ) {
        self.client = client
        self.counter = counter
        self.widget = widget
        self.content = content
        self.hasContent = hasContent
        self.bodyDigest = bodyDigest
    }
}
