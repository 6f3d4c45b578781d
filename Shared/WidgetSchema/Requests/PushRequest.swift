// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request that sends content for a widget to the cache.
///
/// The counter makes the request idempotent and determines the order of pushes. Each client has a separate counter for
/// each widget.
public struct PushRequest: RequestBody {
    public static let name = "push"
    public typealias Result = CycleAnswer

    public var client: String
    public var counter: UInt64
    public var widget: WidgetID
    public var content: Content
    /// A Boolean value that indicates whether hosts should show the widget; nil to use the value in `content`.
    ///
    /// If `content` has no value either, hosts should hide the widget only if the widget's `hideWhenEmpty` is true and
    /// `content` is empty.
    public var hasContent: Bool?
    /// The digest of the data from which the client made the request, such as the body of an HTTP request.
    ///
    /// A request with the same counter but another digest is an error with the code `reused`. If the digest is nil, the
    /// cache recognises a repetition by the counter alone.
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
