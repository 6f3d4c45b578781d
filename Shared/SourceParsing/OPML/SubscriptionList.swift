// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The subscriptions that a feed reader has exported (http://opml.org/spec2.opml), in the order of the file.
public struct SubscriptionList: Hashable, Sendable {
    /// The maximum number of subscriptions that are read.
    public static let maximumSubscriptions = 10_000

    /// One feed.
    public struct Subscription: Hashable, Sendable {
        /// The title in the feed reader, on one line and without markup.
        public var title: String?
        /// The feed's address, which has not been validated.
        public var feedURL: String
        /// The names of the enclosing outlines, outermost first.
        public var groups: [String]
        /// The line in the file, counted from 1.
        public var line: Int

        public init(title: String?, feedURL: String, groups: [String], line: Int) {
            self.title = title
            self.feedURL = feedURL
            self.groups = groups
            self.line = line
        }
    }

    /// The list's own title.
    public var title: String?
    public var subscriptions: [Subscription]

    public init(title: String? = nil, subscriptions: [Subscription] = []) {
        self.title = title
        self.subscriptions = subscriptions
    }
}
