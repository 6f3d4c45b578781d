// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The subscriptions that a reader of feeds has exported (http://opml.org/spec2.opml), in the order of the file.
public struct SubscriptionList: Hashable, Sendable {
    /// Subscriptions beyond this number are not read.
    public static let maximumSubscriptions = 10_000

    /// One feed.
    public struct Subscription: Hashable, Sendable {
        /// As the reader calls it; one line, without markup.
        public var title: String?
        /// The feed's address, as found: nobody has checked it.
        public var feedURL: String
        /// The names of the outlines around it, the outermost first.
        public var groups: [String]
        /// Counted from 1.
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
