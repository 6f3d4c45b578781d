// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import DemoOrigin

@Suite struct DemoStoryTests {
    private let story = DemoStory.blog()

    @Test func theBlogGoesThroughEveryChapterAndAgain() {
        #expect(
            (0..<12).map(story.chapter) == [
                .beginning, .unchanged, .postArrives, .changeBelowTheFold, .unavailable, .postArrives, .unchanged,
                .postArrives, .changeBelowTheFold, .unavailable, .postArrives, .unchanged,
            ]
        )
    }

    @Test func eachChapterChangesWhatItSays() {
        for step in 1..<60 {
            let before = story.feed(at: step - 1)
            let after = story.feed(at: step)
            switch story.chapter(at: step) {
            case .beginning, .unchanged, .unavailable:
                #expect(after == before)
            case .postArrives:
                #expect(Array(after.posts.dropFirst()) == Array(before.posts.dropLast()))
                #expect(!before.posts.map(\.id).contains(after.posts[0].id))
                #expect(after.updated > before.updated)
            case .changeBelowTheFold:
                #expect(after.posts.prefix(6) == before.posts.prefix(6))
                #expect(after.posts.map(\.id) == before.posts.map(\.id))
                #expect(zip(after.posts, before.posts).count { $0.title != $1.title } == 1)
                #expect(after.updated > before.updated)
            }
        }
    }

    @Test func postsDifferAndAreInOrderOfTime() {
        for step in [0, 40, 200] {
            let posts = story.feed(at: step).posts
            #expect(posts.count == DemoStory.postCount)
            #expect(Set(posts.map(\.id)).count == posts.count)
            #expect(Set(posts.map(\.title)).count == posts.count)
            #expect(posts.map(\.published) == posts.map(\.published).sorted(by: >))
        }
    }

    @Test func theStartDatesTheStory() {
        let late = DemoStory.blog(start: DemoStory.defaultStart + 1000)
        let difference = zip(late.feed(at: 7).posts, story.feed(at: 7).posts).map { $0.published - $1.published }
        #expect(Set(difference) == [1000])
    }
}
