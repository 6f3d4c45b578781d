// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What a cycle gives to show.
enum ShownContent: Hashable, Sendable {
    /// There is none yet.
    case none(attemptFailed: Bool)
    /// There is one that this version cannot read.
    case unreadable(ContentDigest)
    case content(Content, ContentDigest)

    var content: Content? {
        guard case .content(let content, _) = self else { return nil }
        return content
    }

    /// What stands for it in a key: contents are as large as their digests are telling.
    enum Identity: Hashable, Sendable {
        case loading
        case failed
        case content(ContentDigest)
    }

    var identity: Identity {
        switch self {
        case .none(let attemptFailed): attemptFailed ? .failed : .loading
        case .unreadable: .failed
        case .content(_, let digest): .content(digest)
        }
    }

    /// What is said in a content's place.
    var placeholder: Placeholder {
        switch self {
        case .none(attemptFailed: false): .loading
        case .none(attemptFailed: true), .unreadable, .content: .failed
        }
    }
}
