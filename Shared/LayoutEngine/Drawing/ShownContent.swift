// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// What a cycle gives to show.
public enum ShownContent: Hashable, Sendable {
    /// There is none yet; a person may have asked for it.
    case none(isRefreshing: Bool, attemptFailed: Bool)
    /// There is one that this version cannot read.
    case unreadable(ContentDigest)
    case content(Content, ContentDigest)

    /// What is there before the first attempt.
    public static let nothing = ShownContent.none(isRefreshing: false, attemptFailed: false)

    public var content: Content? {
        guard case .content(let content, _) = self else { return nil }
        return content
    }

    /// What stands for it in a key: contents are as large as their digests are telling.
    public enum Identity: Hashable, Sendable {
        case none(isRefreshing: Bool, attemptFailed: Bool)
        case unreadable
        case content(ContentDigest)
    }

    public var identity: Identity {
        switch self {
        case .none(let isRefreshing, let attemptFailed):
            .none(isRefreshing: isRefreshing, attemptFailed: attemptFailed)
        case .unreadable: .unreadable
        case .content(_, let digest): .content(digest)
        }
    }
}
