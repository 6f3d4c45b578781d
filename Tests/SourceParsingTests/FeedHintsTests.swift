// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

/// Tests of the hints in feeds about the times of their changes.
@Suite struct FeedHintsTests {
    private static func hints(_ channel: String) throws -> FeedHints {
        try SourceParser.read(FeedSamples.body(FeedSamples.rss(channel)), parsing: Parsing(kind: .feed)).hints
    }

    @Test(arguments: [
        ("<ttl>60</ttl>", 3600), ("<ttl> 5 minutes</ttl>", 300), ("<ttl>999999</ttl>", FeedHints.maximumSeconds),
        ("<ttl>0</ttl>", nil), ("<ttl>-5</ttl>", nil), ("<ttl>soon</ttl>", nil), ("", nil),
        ("<item><title>x</title><ttl>60</ttl></item>", nil),
    ])
    func theTimeToLiveIsInMinutes(channel: String, seconds: Int?) throws {
        #expect(try Self.hints(channel).timeToLiveSeconds == seconds)
    }

    @Test(arguments: [
        ("<sy:updatePeriod>hourly</sy:updatePeriod>", 3600),
        ("<sy:updatePeriod>\n daily </sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>", 6 * 3600),
        ("<sy:updateFrequency>0</sy:updateFrequency><sy:updatePeriod>weekly</sy:updatePeriod>", 7 * 86_400),
        ("<sy:updateFrequency>2</sy:updateFrequency>", nil), ("<sy:updatePeriod>now and then</sy:updatePeriod>", nil),
    ])
    func theUpdateIntervalIsThePeriodByTheFrequency(channel: String, seconds: Int?) throws {
        #expect(try Self.hints(channel).updateIntervalSeconds == seconds)
    }

    @Test func hoursAndDaysToSkipAreThoseThatThereAre() throws {
        let hints = try Self.hints(
            """
            <skipHours><hour>0</hour><hour>24</hour><hour> 7 </hour><hour>25</hour><hour>x</hour></skipHours>
            <skipDays><day>Saturday</day><day>sunday</day><day>Someday</day></skipDays>
            """
        )
        #expect(hints.skippedHours == [0, 7])
        #expect(hints.skippedDays == [6, 7])
    }

    @Test func aFeedWithoutAdviceGivesNone() throws { #expect(try Self.hints("<item><title>x</title></item>").isEmpty) }
}
