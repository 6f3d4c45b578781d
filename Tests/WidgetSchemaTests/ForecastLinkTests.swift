// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct ForecastLinkTests {
    @Test(arguments: [0, 1, 4, 365]) func aLinkIsReadAsItIsWritten(days: Int) throws {
        let link = ForecastLink(daysFromNow: days)
        #expect(link.url == "weatherwidget://?daysFromNow=\(days)")
        #expect(try ForecastLink(parsing: link.url) == link)
    }

    @Test(
        arguments: [
            ("", "it has no scheme"),
            ("weatherwidget", "it has no scheme"),
            ("https://?daysFromNow=1", "its scheme is 'https'"),
            ("weatherwidget:daysFromNow=1", "'://?' does not follow its scheme"),
            ("weatherwidget://host?daysFromNow=1", "'://?' does not follow its scheme"),
            ("weatherwidget://?", "it has no daysFromNow"),
            ("weatherwidget://?day=1", "its parameter is 'day'"),
            ("weatherwidget://?daysFromNow", "its parameter is 'daysFromNow'"),
            ("weatherwidget://?daysFromNow=", "'' is no number of days"),
            ("weatherwidget://?daysFromNow=-1", "'-1' is no number of days"),
            ("weatherwidget://?daysFromNow=two", "'two' is no number of days"),
            ("weatherwidget://?daysFromNow=١", "'١' is no number of days"),
            ("weatherwidget://?daysFromNow=1&daysFromNow=2", "'1&daysFromNow=2' is no number of days"),
            ("weatherwidget://?daysFromNow=366", "366 days are beyond every forecast"),
            (
                "weatherwidget://?daysFromNow=99999999999999999999",
                "99999999999999999999 days are beyond every forecast"
            ),
        ]
    )
    func anythingElseIsAClearError(text: String, problem: String) {
        let error = #expect(throws: ForecastLink.ParsingError.self) { try ForecastLink(parsing: text) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("write weatherwidget://?daysFromNow=N") == true)
    }
}
