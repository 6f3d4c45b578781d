// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A feed that the demo origin serves, newest post first.
public struct DemoFeed: Sendable, Hashable {
    public var title: String
    public var link: String
    public var summary: String
    /// The time of the last change, in seconds since 1970.
    public var updated: Int
    public var posts: [DemoPost]

    public init(title: String, link: String, summary: String, updated: Int, posts: [DemoPost]) {
        self.title = title
        self.link = link
        self.summary = summary
        self.updated = updated
        self.posts = posts
    }
}
