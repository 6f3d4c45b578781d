// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Configuration

/// Tests of `interval` and `minimumInterval`: what a widget inherits, and contradictions.
@Suite struct IntervalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var fetching: String
        var widget: String
        /// The resulting intervals of the widget, in seconds.
        var interval: Int
        var minimum: Int
        var warnings = 0

        var testDescription: String { "fetching {\(fetching)}, widget {\(widget)}" }
    }

    private static let cases = [
        Case(fetching: "", widget: "", interval: 900, minimum: 300),
        // The inherited minimum is the default, or that of `fetching`.
        Case(fetching: "", widget: "interval: 5s", interval: 5, minimum: 5),
        Case(fetching: "", widget: "interval: 10m", interval: 600, minimum: 300),
        Case(fetching: "minimumInterval: 1h", widget: "interval: 20m", interval: 1_200, minimum: 1_200),
        Case(fetching: "interval: 1h, minimumInterval: 1h", widget: "interval: 2s", interval: 2, minimum: 2),
        Case(fetching: "interval: 30s", widget: "", interval: 30, minimum: 30),
        Case(fetching: "interval: 30s", widget: "interval: 5m", interval: 300, minimum: 30),
        // The inherited interval is raised by a minimum that is set.
        Case(fetching: "", widget: "minimumInterval: 1h", interval: 3_600, minimum: 3_600),
        Case(fetching: "interval: 10s", widget: "minimumInterval: 1m", interval: 60, minimum: 60),
        Case(fetching: "minimumInterval: 1h", widget: "", interval: 3_600, minimum: 3_600),
        Case(fetching: "minimumInterval: 0s", widget: "interval: 5s", interval: 5, minimum: 0),
        // Two explicit values.
        Case(fetching: "", widget: "interval: 5s, minimumInterval: 5s", interval: 5, minimum: 5),
        Case(fetching: "", widget: "interval: 5s, minimumInterval: 1m", interval: 60, minimum: 60, warnings: 1),
        Case(fetching: "interval: 5s, minimumInterval: 1m", widget: "", interval: 60, minimum: 60, warnings: 1),
        Case(
            fetching: "interval: 5s, minimumInterval: 1m",
            widget: "interval: 2s, minimumInterval: 3s",
            interval: 3,
            minimum: 3,
            warnings: 2
        ),
        Case(
            fetching: "interval: 5s, minimumInterval: 1m",
            widget: "interval: 10s",
            interval: 10,
            minimum: 10,
            warnings: 1
        ),
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

    @Test func filesOfWidgetsInheritInTheSameWay() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "intervals-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let widgets = folder.appending(path: WidgetFile.folder)
        try FileManager.default.createDirectory(at: widgets, withIntermediateDirectories: true)
        let file = folder.appending(path: "tidings.yml")
        try Data("fetching: {minimumInterval: 1h}\nwidgets: {}\n".utf8).write(to: file)
        try Data("widgets:\n  a: {kind: feed, source: push, interval: 5s}\n".utf8)
            .write(to: widgets.appending(path: "a.yml"))
        let widget = try #require(try TidingsConfiguration.load(path: file.path(), environment: [:]).widgets.first)
        #expect(widget.interval == .seconds(5))
        #expect(widget.minimumInterval == .seconds(5))
    }
}
