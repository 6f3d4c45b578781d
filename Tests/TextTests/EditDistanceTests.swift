// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import Text

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("same", "same", 0), ("ab", "ba", 1),
        ("widht", "width", 1), ("interval", "intervall", 1),
    ])
    func itCountsChangesAndSwaps(left: String, right: String, distance: Int) {
        #expect(EditDistance.between(Array(left), Array(right)) == distance)
    }

    @Test(arguments: [
        ("intreval", "interval"), ("timezone", "timeZone"), ("minimum-interval", "minimumInterval"), ("knd", "kind"),
        ("sorce", "source"),
    ])
    func theNearestWordIsSuggested(word: String, expected: String) {
        let words = ["kind", "source", "interval", "minimumInterval", "timeZone", "rows"]
        #expect(EditDistance.closest(to: word, among: words) == expected)
    }

    @Test(arguments: ["", "colour", "x", "rosx-rosx", String(repeating: "kind", count: 20)])
    func aWordThatIsFarFromAllGetsNoSuggestion(word: String) {
        #expect(EditDistance.closest(to: word, among: ["kind", "source", "rows"]) == nil)
    }

    @Test func betweenTwoEquallyNearWordsThereIsNoSuggestion() {
        #expect(EditDistance.closest(to: "pat", among: ["cat", "bat"]) == nil)
        #expect(EditDistance.closest(to: "pat", among: ["cat", "bat", "pat"]) == "pat")
    }
}
