// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Layout

@Suite struct ContentMemoryTests {
    private var memory = ContentMemory()

    private mutating func show(_ posts: Int, in widget: String) throws -> ContentDigest {
        let (reference, frame) = try Sample.frame(Sample.feed(posts))
        let isKept = memory.remember(frame, as: reference.digest)
        #expect(isKept)
        memory.note(reference.digest, for: try #require(WidgetID(rawValue: widget)))
        return reference.digest
    }

    @Test mutating func aContentIsDroppedWhenItsWidgetShowsANewOne() throws {
        for posts in 1...100 { _ = try show(posts, in: "blog") }
        #expect(memory.count == 1)
        #expect(memory.forgotten == 0)
    }

    @Test mutating func aContentStaysWhileAnotherWidgetShowsIt() throws {
        _ = try show(1, in: "blog")
        _ = try show(1, in: "news")
        _ = try show(2, in: "blog")
        #expect(memory.count == 2)
        _ = try show(2, in: "news")
        #expect(memory.count == 1)
    }

    @Test mutating func aContentThatCameAgainCountsItsWidgetOnce() throws {
        _ = try show(1, in: "blog")
        _ = try show(1, in: "blog")
        _ = try show(2, in: "blog")
        #expect(memory.count == 1)
    }
}
