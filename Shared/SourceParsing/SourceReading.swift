// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The result of parsing a document: the content, and the document's hints about when to request it again.
public struct SourceReading: Hashable, Sendable {
    public var content: Content
    /// The document's hints about when to request it again; empty if it has no hints or its format does not support
    /// them.
    public var hints = FeedHints()
    /// A Boolean value that indicates whether the content depends on the time of receipt, so that the same bytes give
    /// other content on another day.
    public var dependsOnReceipt = false
}
