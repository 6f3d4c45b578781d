// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The result of parsing a document: its content, and the advice on when to request it again.
public struct SourceReading: Hashable, Sendable {
    public var content: Content
    /// The advice; empty if the document has none, or if its kind does not support advice.
    public var hints: FeedHints

    public init(content: Content, hints: FeedHints = FeedHints()) {
        self.content = content
        self.hints = hints
    }
}
