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
    /// The content; an empty list of documents if `remove` is not nil.
    public var content: Content
    /// The ids of documents to remove from the list that the widget shows; nil if `content` replaces that list.
    ///
    /// The request then has no `content`, so that a cache of an earlier version rejects it.
    public var remove: [String]?
    /// A Boolean value that indicates whether displays should show the widget; nil to use the value in `content`.
    ///
    /// If `content` has no value either, displays should hide the widget only if the widget's `hideWhenEmpty` is true and
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

    private enum CodingKeys: String, CodingKey {
        case client, counter, widget, content, remove, hasContent, bodyDigest
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        client = try container.decode(String.self, forKey: .client)
        counter = try container.decode(UInt64.self, forKey: .counter)
        widget = try container.decode(WidgetID.self, forKey: .widget)
        remove = try container.decodeIfPresent([String].self, forKey: .remove)
        content =
            remove == nil
            ? try container.decode(Content.self, forKey: .content) : .documents(DocumentsContent(documents: []))
        hasContent = try container.decodeIfPresent(Bool.self, forKey: .hasContent)
        bodyDigest = try container.decodeIfPresent(ContentDigest.self, forKey: .bodyDigest)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(client, forKey: .client)
        try container.encode(counter, forKey: .counter)
        try container.encode(widget, forKey: .widget)
        if remove == nil { try container.encode(content, forKey: .content) }
        try container.encodeIfPresent(remove, forKey: .remove)
        try container.encodeIfPresent(hasContent, forKey: .hasContent)
        try container.encodeIfPresent(bodyDigest, forKey: .bodyDigest)
    }
}
