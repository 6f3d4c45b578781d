// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The list of feeds that a feed reader has exported (http://opml.org/spec2.opml), in the order of the file.
public struct FeedList: Hashable, Sendable {
    /// The maximum number of feeds in a list; a list with more feeds is rejected.
    public static let maximumEntries = 10_000

    /// One feed in the list.
    public struct Entry: Hashable, Sendable {
        /// The title of the feed in the feed reader, on one line and without markup; nil if there is none.
        public var title: String?
        /// The feed's address, which has not been validated.
        public var feedURL: String
        /// The names of the groups that contain the feed, outermost first; OPML calls a group an outline.
        public var groups: [String]
        /// The line of the feed in the file, counted from 1.
        public var line: Int
    }

    /// The title of the list itself; nil if there is none.
    public var title: String?
    public var entries: [Entry] = []
}
