// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct ForecastLinkTests {
    @Test(arguments: [0, 1, 4]) func aLinkIsReadAsItIsWritten(days: Int) throws {
        let link = ForecastLink(daysFromNow: days)
        #expect(link.url == "weatherwidget://?daysFromNow=\(days)")
        #expect(try ForecastLink(parsing: link.url) == link)
    }

    @Test(arguments: [
        "weatherwidget://forecast/berlin?daysFromNow=2", "weatherwidget://?units=c&daysFromNow=2&from=widget",
        "WeatherWidget:///?daysFromNow=2#top", "weatherwidget://?daysFromNow=%32", "weatherwidget://?days%46romNow=2",
        "weatherwidget://?%64aysFromNow=%32&x=%",
    ])
    func aPathAndOtherQueryItemsAreAccepted(text: String) throws {
        #expect(try ForecastLink(parsing: text) == ForecastLink(daysFromNow: 2))
    }

    @Test(arguments: [
        ("myweather://", "myweather://?daysFromNow=3"),
        ("https://example.org/w", "https://example.org/w?daysFromNow=3"),
        ("myweather://city?id=7", "myweather://city?id=7&daysFromNow=3"),
        ("https://example.org/w?a=b&#days", "https://example.org/w?a=b&daysFromNow=3#days"),
    ])
    func aLinkContinuesTheBaseOfTheConfiguration(base: String, url: String) throws {
        let link = ForecastLink(daysFromNow: 3)
        #expect(link.url(from: base) == url)
        #expect(try ForecastLink(parsing: url, base: base) == link)
    }

    @Test(
        arguments: [
            ("", "the link has no scheme"),
            ("weatherwidget", "the link has no scheme"),
            ("https://?daysFromNow=1", "the scheme 'https' is not 'weatherwidget'"),
            ("weatherwidget:daysFromNow=1", "'://' is missing after the link's scheme"),
            ("weatherwidget://?", "the link has no parameter 'daysFromNow'"),
            ("weatherwidget://?day=1", "the link has no parameter 'daysFromNow'"),
            ("weatherwidget://?daysFromNow", "'' is not a number of days"),
            ("weatherwidget://?daysFromNow=", "'' is not a number of days"),
            ("weatherwidget://?daysFromNow=-1", "'-1' is not a number of days"),
            ("weatherwidget://?daysFromNow=two", "'two' is not a number of days"),
            ("weatherwidget://?daysFromNow=%2", "'%2' is not a number of days"),
            ("weatherwidget://?daysFromNow=%FF", "'%FF' is not a number of days"),
            ("weatherwidget://?daysFromNow=%2B1", "'+1' is not a number of days"),
            ("weatherwidget://?daysFromNow=1&daysFromNo%77=2", "the link has the parameter 'daysFromNow' 2 times"),
            ("weatherwidget://?daysFromNow=%35", "the forecast has no day 5"),
            ("weatherwidget://?daysFromNow=١", "'١' is not a number of days"),
            ("weatherwidget://?daysFromNow=1&daysFromNow=2", "the link has the parameter 'daysFromNow' 2 times"),
            ("weatherwidget://?daysFromNow=5", "the forecast has no day 5"),
            ("weatherwidget://?daysFromNow=99999999999999999999", "the forecast has no day 99999999999999999999"),
        ]
    )
    func anythingElseIsAClearError(text: String, problem: String) {
        let error = #expect(throws: ForecastLink.ParsingError.self) { try ForecastLink(parsing: text) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("write weatherwidget://?daysFromNow=N") == true)
    }
}
