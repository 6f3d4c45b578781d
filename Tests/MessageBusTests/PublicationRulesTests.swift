// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import Testing
import WidgetSchema

@Suite struct PublicationRulesTests {
    private let rules = PublicationRules()

    private func refusal(_ topic: String, sizes: [Int]) -> PublicationRules.Refusal? {
        rules.refusal(Topic(topic), sizes.map { Data(count: $0) })
    }

    @Test(arguments: [
        "update/newData/blog/", "layout/blog/phone/", "laidout/blog/", "refreshed/blog/", "fetched/0123456789abcdef/",
        "heads/cache/",
    ])
    func knownTopicsPass(topic: String) {
        #expect(refusal(topic, sizes: [2]) == nil)
    }

    @Test(arguments: [
        "", "/", "update", "update/", "update/newData/blog", "health/cache/one/", "~ready/abc/", "other/x/",
        "Update/x/", "update/\(String(repeating: "x", count: 250))/",
    ])
    func otherTopicsAreUnknown(topic: String) {
        #expect(refusal(topic, sizes: [2]) == .unknownTopic)
    }

    @Test func onlyTopicsWithContentHaveMoreThanTwoFrames() {
        #expect(refusal("fetched/x/", sizes: [2, 2, 2]) == nil)
        #expect(refusal("refreshed/x/", sizes: [2, 2]) == nil)
        #expect(refusal("update/x/", sizes: [2, 2]) == .wrongFrames)
        #expect(refusal("update/x/", sizes: []) == .wrongFrames)
        #expect(refusal("fetched/x/", sizes: Array(repeating: 1, count: 256)) == .wrongFrames)
    }

    @Test func clientTopicsAreSmallerThanInternalOnes() {
        #expect(refusal("update/x/", sizes: [MessageLimits.clientFrame]) == nil)
        #expect(refusal("update/x/", sizes: [MessageLimits.clientFrame + 1]) == .tooLarge)
        #expect(refusal("laidout/x/", sizes: [MessageLimits.internalFrame]) == nil)
        #expect(refusal("laidout/x/", sizes: [MessageLimits.internalFrame + 1]) == .tooLarge)
        #expect(refusal("fetched/x/", sizes: [1, MessageLimits.internalFrame + 1]) == .tooLarge)
    }
}
