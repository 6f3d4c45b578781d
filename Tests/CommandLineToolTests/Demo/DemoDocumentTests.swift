// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import CommandLineTool

@Suite struct DemoDocumentTests {
    private let start = FeedScript.defaultStart

    private func object(_ document: DemoDocument, at step: Int) throws -> [String: Any] {
        let bytes = Data(document.body(at: step, start: start).utf8)
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    @Test(arguments: DemoDocument.allCases)
    func everyDocumentIsJSONAtEveryStep(_ document: DemoDocument) throws {
        for step in 0..<40 { #expect(try !object(document, at: step).isEmpty) }
    }

    @Test func theForecastIsTheSameForThreeAnswersWhoseBytesDiffer() throws {
        func daily(_ step: Int) throws -> NSDictionary? { try object(.weather, at: step)["daily"] as? NSDictionary }
        #expect(Set([0, 1, 2].map { DemoDocument.weather.body(at: $0, start: start) }).count == 3)
        #expect(try daily(0) == daily(2))
        #expect(try daily(2) != daily(3))
    }

    @Test func theForecastHasTodayInEveryTimeZone() throws {
        let daily = try #require(object(.weather, at: 0)["daily"] as? [String: Any])
        let days = try #require(daily["time"] as? [String])
        #expect(days.count == DemoDocument.forecastDays)
        #expect(days.first == FeedDateText.day(start / 86_400 - 1))
        #expect(days == days.sorted())
    }

    @Test func everyOtherAnswerHasANewBuild() throws {
        func newest(_ step: Int) throws -> Int? {
            let builds = try #require(object(.builds, at: step)["builds"] as? [[String: Any]])
            #expect(builds.count == DemoDocument.buildCount)
            return builds.first?["number"] as? Int
        }
        #expect(try [0, 1, 2, 3, 4].map(newest) == [8, 8, 9, 9, 10])
    }
}
