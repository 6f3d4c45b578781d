// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// What a document gave: its content, and advice on when to ask again.
public struct SourceReading: Hashable, Sendable {
    public var content: Content
    /// Empty where the document gives no advice, or is of a kind that cannot.
    public var hints: FeedHints

    public init(content: Content, hints: FeedHints = FeedHints()) {
        self.content = content
        self.hints = hints
    }
}
