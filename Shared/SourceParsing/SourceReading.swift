// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The result of parsing a document: its content, and advice about when to ask again.
public struct SourceReading: Hashable, Sendable {
    public var content: Content
    /// Empty if the document has no advice, or if its kind does not support advice.
    public var hints: FeedHints

    public init(content: Content, hints: FeedHints = FeedHints()) {
        self.content = content
        self.hints = hints
    }
}
