// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import Configuration

/// Tests of `interval` and `minimumInterval`: what a widget inherits, and contradictions.
@Suite struct IntervalTests {
    /// The settings of `fetching` and of the widget, and the resulting intervals of the widget, in seconds.
    struct Case: Sendable, CustomTestStringConvertible {
        var fetching: String
        var widget: String
        var interval: Int
        var minimum: Int
        var warnings: Int

        init(_ fetching: String, _ widget: String, _ interval: Int, _ minimum: Int, warnings: Int = 0) {
            (self.fetching, self.widget) = (fetching, widget)
            (self.interval, self.minimum, self.warnings) = (interval, minimum, warnings)
        }

        var testDescription: String { "fetching {\(fetching)}, widget {\(widget)}" }
    }

    private static let cases = [
        Case("", "", 900, 300),
        // The inherited minimum is the default, or that of `fetching`.
        Case("", "interval: 5s", 5, 5),
        Case("", "interval: 10m", 600, 300),
        Case("minimumInterval: 1h", "interval: 20m", 1_200, 1_200),
        Case("interval: 1h, minimumInterval: 1h", "interval: 2s", 2, 2),
        Case("interval: 30s", "", 30, 30),
        Case("interval: 30s", "interval: 5m", 300, 30),
        // The inherited interval is raised by a minimum that is set.
        Case("", "minimumInterval: 1h", 3_600, 3_600),
        Case("interval: 10s", "minimumInterval: 1m", 60, 60),
        Case("minimumInterval: 1h", "", 3_600, 3_600),
        Case("minimumInterval: 0s", "interval: 5s", 5, 0),
        // Two explicit values.
        Case("", "interval: 5s, minimumInterval: 5s", 5, 5),
        Case("", "interval: 5s, minimumInterval: 1m", 60, 60, warnings: 1),
        Case("interval: 5s, minimumInterval: 1m", "", 60, 60, warnings: 1),
        Case("interval: 5s, minimumInterval: 1m", "interval: 2s, minimumInterval: 3s", 3, 3, warnings: 2),
        Case("interval: 5s, minimumInterval: 1m", "interval: 10s", 10, 10, warnings: 1),
    ]

    @Test(arguments: cases)
    func theIntervalIsNeverShorterThanTheMinimumAndContradictionsAreToldOnce(_ value: Case) throws {
        let text = "fetching: {\(value.fetching)}\nwidgets:\n  blog: {kind: feed, source: push, \(value.widget)}\n"
        let configuration = try TidingsConfiguration.parse(text, file: "c.yml")
        let widget = try #require(configuration.widgets.first)
        #expect(widget.interval == .seconds(value.interval))
        #expect(widget.minimumInterval == .seconds(value.minimum))
        #expect(configuration.warnings.count == value.warnings)
    }

    @Test func theOrderOfTheKeysDoesNotMatter() throws {
        let text = "widgets:\n  a: {kind: feed, source: push, interval: 5s}\nfetching: {minimumInterval: 1h}\n"
        let widget = try #require(try TidingsConfiguration.parse(text).widgets.first)
        #expect(widget.interval == .seconds(5))
        #expect(widget.minimumInterval == .seconds(5))
    }

    @Test func aWarningNamesThePlaceBothValuesAndTheRemedy() throws {
        let text = "widgets:\n  a:\n    kind: feed\n    source: push\n    interval: 90s\n    minimumInterval: 5m\n"
        #expect(
            try TidingsConfiguration.parse(text, file: "c.yml").warnings == [
                "c.yml:5:15: interval (90s) is shorter than minimumInterval (5m) beside it, so attempts are 5m apart; "
                    + "remove minimumInterval, or lower it to 90s"
            ]
        )
    }

    private static let staleAfter: [(String, Duration?)] = [
        ("source: 'https://a.example/'", .seconds(3_600)),
        ("source: 'https://a.example/', interval: 2h", .seconds(21_600)),
        ("source: 'https://a.example/', staleAfter: 1d", .seconds(86_400)),
        ("source: push", nil),
        ("source: push, interval: 2h, staleAfter: 1h", .seconds(3_600)),
    ]

    @Test(arguments: staleAfter)
    func contentIsStaleAfterThreeIntervalsAndAnHourUnlessItIsPushed(keys: String, staleAfter: Duration?) throws {
        let text = "widgets:\n  a: {kind: feed, \(keys)}\n"
        #expect(try TidingsConfiguration.parse(text).widgets.first?.staleAfter == staleAfter)
    }

    @Test(arguments: [
        ("", true), ("displays: {d: {family: panel, width: 800, height: 480, scale: 1}}", false),
        ("boards: {b: {model: trmnl-og, layout: full, cells: [{widget: a}]}}", false),
    ])
    func staleAfterWithoutAPanelIsAWarning(key: String, isWarned: Bool) throws {
        let text = "\(key)\nwidgets:\n  a: {kind: feed, source: push, staleAfter: 1d}\n"
        let warnings = try TidingsConfiguration.parse(text, file: "c.yml").warnings
        #expect(warnings == (isWarned ? ["c.yml:3:33: staleAfter has no effect: widget 'a' is on no panel"] : []))
    }

    // MARK: whenShown

    @Test func aSourceMayBeFetchedWhenItIsShown() throws {
        let board = "boards: {wall: {model: trmnl-og, layout: full, cells: [{widget: a}]}}\n"
        let text = board + "widgets:\n  a: {kind: feed, source: 'https://a.example/', interval: whenShown}\n"
        let configuration = try TidingsConfiguration.parse(text)
        let widget = try #require(configuration.widgets.first)
        #expect(widget.isFetchedWhenShown)
        #expect(widget.interval == .seconds(300) && widget.minimumInterval == .seconds(300))
        #expect(widget.staleAfter == .seconds(3_600))
        #expect(configuration.warnings.isEmpty)
        let own =
            "widgets:\n  a: {kind: feed, source: 'https://a.example/', interval: whenShown, minimumInterval: 1h}\n"
        #expect(try TidingsConfiguration.parse(own).widgets.first?.interval == .seconds(3_600))
    }

    @Test func whenShownOnNoBoardIsSuspicious() throws {
        let text = "widgets:\n  a: {kind: feed, source: 'https://a.example/', interval: whenShown}\n"
        let warnings = try TidingsConfiguration.parse(text).warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("widget 'a' has interval: whenShown, but is on no board") == true)
    }

    @Test(arguments: [
        "widgets:\n  a: {kind: feed, source: push, interval: whenShown}\n",
        "fetching: {fileDirectory: /tmp}\nwidgets:\n  a: {kind: feed, source: {file: a.json}, interval: whenShown}\n",
        "fetching: {interval: whenShown}\nwidgets:\n  a: {kind: feed, source: push}\n",
    ])
    func whenShownIsForAddressesAndForWidgetsOnly(text: String) {
        let found = errors(text)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains("whenShown") == true)
    }

    @Test func filesOfWidgetsInheritInTheSameWay() throws {
        try withFile("fetching: {minimumInterval: 1h}\nwidgets: {}\n") { path in
            let widgets = URL(filePath: path).deletingLastPathComponent().appending(path: WidgetFile.folder)
            try FileManager.default.createDirectory(at: widgets, withIntermediateDirectories: true)
            try Data("widgets:\n  a: {kind: feed, source: push, interval: 5s}\n".utf8)
                .write(to: widgets.appending(path: "a.yml"))
            let widget = try #require(try TidingsConfiguration.load(path: path, environment: [:]).widgets.first)
            #expect(widget.interval == .seconds(5))
            #expect(widget.minimumInterval == .seconds(5))
        }
    }
}
