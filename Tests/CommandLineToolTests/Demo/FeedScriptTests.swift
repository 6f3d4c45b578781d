// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import CommandLineTool

@Suite struct FeedScriptTests {
    private let script = FeedScript.blog()

    @Test func theBlogGoesThroughEveryChapterAndAgain() {
        #expect(
            (0..<12).map(script.change) == [
                .beginning, .unchanged, .postArrives, .titleOfNinthPostChanges, .unavailable, .postArrives, .unchanged,
                .postArrives, .titleOfNinthPostChanges, .unavailable, .postArrives, .unchanged,
            ]
        )
    }

    @Test func eachChapterChangesWhatItSays() {
        for step in 1..<60 {
            let before = script.feed(at: step - 1)
            let after = script.feed(at: step)
            switch script.change(at: step) {
            case .beginning, .unchanged, .unavailable:
                #expect(after == before)
            case .postArrives:
                #expect(Array(after.posts.dropFirst()) == Array(before.posts.dropLast()))
                #expect(!before.posts.map(\.id).contains(after.posts[0].id))
                #expect(after.updated > before.updated)
            case .titleOfNinthPostChanges:
                #expect(after.posts.prefix(6) == before.posts.prefix(6))
                #expect(after.posts.map(\.id) == before.posts.map(\.id))
                #expect(zip(after.posts, before.posts).count { $0.title != $1.title } == 1)
                #expect(after.updated > before.updated)
            }
        }
    }

    @Test func postsDifferAndAreInOrderOfTime() {
        for step in [0, 40, 200] {
            let posts = script.feed(at: step).posts
            #expect(posts.count == FeedScript.postCount)
            #expect(Set(posts.map(\.id)).count == posts.count)
            #expect(Set(posts.map(\.title)).count == posts.count)
            #expect(posts.map(\.published) == posts.map(\.published).sorted(by: >))
        }
    }

    @Test func theStartDatesTheStory() {
        let late = FeedScript.blog(start: FeedScript.defaultStart + 1000)
        let difference = zip(late.feed(at: 7).posts, script.feed(at: 7).posts).map { $0.published - $1.published }
        #expect(Set(difference) == [1000])
    }
}
