// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The content that a widget shows, or the reason why it shows none.
public enum ShownContent: Hashable, Sendable {
    /// There is no content yet.
    ///
    /// `isRefreshing` is true if the widget waits for content that a user requested. `attemptFailed` is true if the
    /// last attempt to fetch content failed.
    case none(isRefreshing: Bool, attemptFailed: Bool)
    /// There is no content yet, because the widget's file does not exist: its app has never been opened.
    case missing
    /// There is content, but this version of Tidings cannot read it.
    ///
    /// The associated value is the SHA-256 digest of the encoded content.
    case unreadable(ContentDigest)
    case content(Content, ContentDigest)

    /// The state before the first attempt to fetch content.
    public static let nothing = ShownContent.none(isRefreshing: false, attemptFailed: false)

    public var content: Content? {
        guard case .content(let content, _) = self else { return nil }
        return content
    }

    /// A Boolean value that indicates whether there is no content because attempts fail.
    var isFailed: Bool {
        if case .none(isRefreshing: false, attemptFailed: true) = self { true } else { false }
    }

    /// The value that represents the content in a ``DrawingKey``: a digest instead of the whole content.
    public enum Identity: Hashable, Sendable {
        case none(isRefreshing: Bool, attemptFailed: Bool)
        case missing
        case unreadable
        case content(ContentDigest)
    }

    public var identity: Identity {
        switch self {
        case .none(let isRefreshing, let attemptFailed):
            .none(isRefreshing: isRefreshing, attemptFailed: attemptFailed)
        case .missing: .missing
        case .unreadable: .unreadable
        case .content(_, let digest): .content(digest)
        }
    }
}
