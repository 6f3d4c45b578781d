// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A script for a feed that changes from request to request.
///
/// A step is the number of earlier requests that the script has answered. The content of the feed depends only on the
/// script and the step.
struct FeedScript: Sendable, Hashable {
    /// The change at a step, relative to the previous step.
    enum Change: Sendable, Hashable {
        case beginning
        case unchanged
        case postArrives
        /// The title of the ninth post changes; a widget that shows only the first posts does not show this change.
        case titleOfNinthPostChanges
        /// The origin answers with the status 503; the feed does not change.
        case unavailable
    }

    /// The default start time of a script, in seconds since 1970: Sunday, 16 November 2025, 08:00 UTC.
    static let defaultStart = 1_763_280_000
    /// The number of posts in a feed.
    static let postCount = 12
    /// The index of the post that `titleOfNinthPostChanges` edits; index 0 is the newest post.
    static let editedPosition = 8
    /// The number of seconds between the dates of two consecutive steps.
    ///
    /// The demo asks as often as this, so a post has the time at which it arrives.
    static let secondsPerStep = 2

    let start: Int
    private let title: String
    private let firstSteps: [Change]
    private let repeatedSteps: [Change]

    /// Returns the script of the demo's blog, which contains every kind of `Change`.
    ///
    /// After the first two steps, the same five changes are repeated without end. `start` is the start time of the
    /// script, in seconds since 1970.
    static func blog(start: Int = defaultStart) -> FeedScript {
        FeedScript(
            start: start,
            title: "The Tidings Blog",
            firstSteps: [.beginning, .unchanged],
            repeatedSteps: [.postArrives, .titleOfNinthPostChanges, .unavailable, .postArrives, .unchanged]
        )
    }

    /// Returns the script of a news feed, which has one new post in every third answer and no other changes.
    ///
    /// `start` is the start time of the script, in seconds since 1970.
    static func news(start: Int = defaultStart) -> FeedScript {
        FeedScript(
            start: start,
            title: "Tidings News",
            firstSteps: [.beginning],
            repeatedSteps: [.unchanged, .unchanged, .postArrives]
        )
    }

    func change(at step: Int) -> Change {
        step < firstSteps.count ? firstSteps[step] : repeatedSteps[(step - firstSteps.count) % repeatedSteps.count]
    }

    /// Returns the feed with the changes of all steps from 0 to `step`, inclusive.
    ///
    /// An `unavailable` step does not change the feed.
    func feed(at step: Int) -> DemoFeed {
        var posts = (0..<Self.postCount).reversed().map { number in
            // The initial posts are four hours apart and older than the start.
            DemoPost.numbered(number, published: start - (Self.postCount - number) * 4 * 3600)
        }
        var updated = start
        var nextNumber = Self.postCount
        for step in 0...max(0, step) {
            switch change(at: step) {
            case .beginning, .unchanged, .unavailable:
                continue
            case .postArrives:
                updated = start + step * Self.secondsPerStep
                posts.insert(DemoPost.numbered(nextNumber, published: updated), at: 0)
                posts.removeLast()
                nextNumber += 1
            case .titleOfNinthPostChanges:
                updated = start + step * Self.secondsPerStep
                posts[Self.editedPosition].title += " (updated)"
            }
        }
        return DemoFeed(
            title: title,
            link: "https://tidings.example/",
            summary: "Small reports from the neighbourhood",
            updated: updated,
            posts: posts
        )
    }
}
