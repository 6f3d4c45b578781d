// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import SourceParsing

/// Dates in the words, the digits and the zones of many languages and programs.
@Suite struct FeedDateTests {
    @Test(arguments: SampleText.all(in: "dates.json"))
    func aTextIsTheDateThatTheFileNames(_ sample: SampleText) {
        #expect(FeedDate.parse(sample.text) == sample.expected.flatMap { Instant($0) })
    }

    @Test func theFilesOfSamplesAreRead() {
        #expect(SampleText.all(in: "dates.json").count == 240)
        #expect(SampleText.all(in: "texts.json").count == 148)
        #expect(FeedElement.ofItems.count == 94 && FeedElement.ofFeeds.count == 34 && FeedElement.foreign.count == 16)
        #expect(FeedFormat.all.count == 14)
    }

    @Test func everyBeginningOfADateEndsWithoutHarm() {
        for text in ["Sat, 21 Nov 2026 00:49:16.250 GMT+0200", "2026-11-21T00:49:16.5+01:00"] {
            for count in 0...text.count { _ = FeedDate.parse(String(text.prefix(count))) }
        }
    }

    @Test(arguments: 0..<12) func everyNameIsThatOfItsMonth(month: Int) {
        for list in [MonthNames.common, MonthNames.further] {
            #expect(list.count == 12)
            for name in list[month].split(separator: " ") {
                #expect(DateWords.month(String(name)) == Int64(month + 1), "\(name)")
            }
        }
    }
}
