// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@Suite struct ReasonTextTests {
    private static let failure = AttemptFailure(class: .permanent, message: "https://example.org/feed answered 404")

    @Test(arguments: [Reason.transient, .rateLimited, .permanent, .malformed])
    func withoutContentNoFailurePromisesThatContentStays(_ reason: Reason) {
        let words = update(reason, failure: Self.failure).words()
        #expect(words.hasPrefix("https://example.org/feed answered 404. There is no content yet"), "\(words)")
        #expect(!words.contains("stays"))
        let later = update(reason, failure: Self.failure, contentDate: Instant(milliseconds: 0)).words()
        #expect(later.contains("The last content stays visible.") && !later.contains("no content"))
        #expect(later.contains("Attempts will fail until") == (reason == .permanent))
    }

    @Test func aFailureIsExplainedInTheWordsOfTheFetcher() {
        var failure = Self.failure
        failure.explanation = "The server says this page does not exist (404)."
        let words = update(.permanent, failure: failure).words()
        #expect(words.hasPrefix("The server says this page does not exist (404). "))
    }

    @Test func aWidgetThatWaitsForAPushSaysHowToPush() throws {
        let notes = try #require(WidgetID(rawValue: "notes"))
        let words = update(.missing).words(pushedWidget: notes)
        #expect(words.contains("'tidings push notes FILE'") && words.contains("PUT /v1/widgets/notes/content"))
        #expect(update(.missing).words() == "There is no content yet, so there is nothing to show.")
    }

    @Test func aWidgetOfAMissingFileSaysSo() {
        #expect(update(.missing).words(isFileMissing: true).hasPrefix("The file does not exist yet, "))
    }

    @Test func aHiddenWidgetDoesNotStayVisible() {
        var hidden = update(.transient, failure: Self.failure, contentDate: Instant(milliseconds: 0))
        hidden.hasContent = false
        #expect(hidden.words().hasSuffix("The widget stays hidden."))
    }

    @Test(arguments: [
        (0, "0 ms"), (-5, "0 ms"), (999, "999 ms"), (1_000, "1.0 s"), (3_572, "3.6 s"), (9_949, "9.9 s"),
        (9_950, "10 s"), (59_499, "59 s"), (59_500, "1 min"), (90_000, "2 min"), (3_569_999, "59 min"),
        (3_570_000, "1 h"), (84_599_999, "23 h"), (84_600_000, "1 d"), (400_000_000, "5 d"), (.max, "106751991167 d"),
    ])
    func aDurationIsRoundedToOneUnit(_ milliseconds: Int64, _ text: String) {
        #expect(Duration.milliseconds(milliseconds).roundedText == text)
    }

    private func update(_ reason: Reason, failure: AttemptFailure? = nil, contentDate: Instant? = nil) -> Update {
        .sample(failure == nil ? .noData : .failed, reason) {
            ($0.outcome, $0.failure) = (failure == nil ? .fresh : .failed, failure)
            $0.contentDate = contentDate
        }
    }
}
