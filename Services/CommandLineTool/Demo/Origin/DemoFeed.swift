// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A feed that the demo origin serves, newest post first.
struct DemoFeed: Sendable, Hashable {
    var title: String
    var link: String
    var summary: String
    /// The time of the last change, in seconds since 1970.
    var updated: Int
    var posts: [DemoPost]
}
