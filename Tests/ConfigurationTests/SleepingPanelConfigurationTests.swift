// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Configuration

@Suite struct SleepingPanelConfigurationTests {
    private static let boards = """
        boards:
          kitchen: {model: trmnl-og, layout: full, timeZone: Europe/Lisbon, cells: [{widget: news}]}
          desk: {width: 800, height: 480, palette: gray4, layout: full, cells: [{widget: news}]}
        widgets:
          news: {kind: feed, source: push}

        """

    private func parse(_ panels: String) throws -> TidingsConfiguration {
        try TidingsConfiguration.parse(Self.boards + panels, file: "t.yml")
    }

    private func panelErrors(_ panels: String) -> [String] { errors(Self.boards + panels) }

    @Test func aPanelNeedsABoardAlone() throws {
        let panel = try #require(try parse("panels: {hall: {board: kitchen}}").panels.first)
        #expect(panel.name.rawValue == "hall" && panel.id == nil && panel.board.rawValue == "kitchen")
        #expect(panel.interval == .seconds(900) && panel.minimumSleep == .seconds(300))
        #expect(panel.maximumSleep == .seconds(21_600) && panel.quietHours == nil)
        #expect(panel.timeZone == "Europe/Lisbon")
    }

    @Test func allKeysCount() throws {
        let text = """
            panels:
              hall:
                id: aa-bb-cc-dd-ee-ff
                board: desk
                model: trmnl-og-plus
                interval: 1m
                maximumSleep: 12h
                quietHours: 23:00-06:30
                timeZone: Asia/Tokyo
            """
        let configuration = try parse(text)
        let panel = try #require(configuration.panels.first)
        #expect(panel.id?.rawValue == "AA:BB:CC:DD:EE:FF")
        #expect(panel.interval == .seconds(60) && panel.minimumSleep == .seconds(60))
        #expect(panel.maximumSleep == .seconds(43_200) && panel.timeZone == "Asia/Tokyo")
        #expect(panel.quietHours == QuietHours(start: 23 * 60, end: 6 * 60 + 30))
        // The limit of the panel's model is that of its board, which names none.
        #expect(configuration.boards.map(\.byteLimit) == [90_000, 90_000])
    }

    @Test(arguments: [
        ("panels: {hall: {}}", "6:10: panel 'hall' has no board; write board: NAME"),
        ("panels: {hall: {board: kitchn}}", "6:24: there is no board 'kitchn'; did you mean 'kitchen'?"),
        ("panels: {Hall: {board: kitchen}}", "6:10: 'Hall' is not valid: a panel's name has 1 to 63"),
        ("panels: {hall: {board: kitchen, id: 'a b'}}", "6:37: 'a b' is not valid: a panel's id has"),
        ("panels: {hall: {board: kitchen, mac: x}}", "unknown key 'mac' in panel 'hall'; did you mean 'id'?"),
        ("panels: {hall: {board: kitchen, quietHours: 23-6}}", "quietHours must be two different times such as"),
        ("panels: {hall: {board: kitchen, interval: 59s}}", "interval must be from 1m to 1d, not 59s"),
        ("panels: {hall: {board: kitchen, interval: 10m, minimumSleep: 1h}}", "interval (10m) must be from minimum"),
        ("panels: {hall: {board: kitchen, model: trmnl-x}}", "model trmnl-x has 1872 x 1404 pixels, but board"),
        ("panels: {hall: {board: kitchen, timeZone: Mars/Base}}", "Mars/Base"),
        (
            "panels: {a: {board: kitchen, id: x1}, b: {board: kitchen, id: x1}}",
            "6:63: panel 'a' has the id x1 already"
        ),
    ])
    func anErrorNamesItsPlace(panels: String, message: String) {
        #expect(panelErrors(panels).contains { $0.contains(message) }, "\(panelErrors(panels))")
    }

    @Test func onlyATestMayLetAPanelSleepForLessThanAMinute() {
        func shortest(_ text: String) -> Int {
            ConfigurationLimits.shortestPanelSleep(["TIDINGS_SHORTEST_PANEL_SLEEP": text])
        }
        #expect(ConfigurationLimits.shortestPanelSleep([:]) == 60)
        #expect(shortest("5") == 5 && shortest("0") == 5 && shortest("-1") == 5)
        #expect(shortest("600") == 60 && shortest("x") == 60 && shortest("") == 60)
    }

    @Test(arguments: [
        // The quiet hours contain midnight, and the clocks change in the night of the second one.
        ("23:00-06:30", "2026-03-28T22:30:00Z", "2026-03-29T04:30:00Z"),
        ("23:00-06:30", "2026-11-30T05:00:00Z", "2026-11-30T05:30:00Z"),
        ("13:00-15:00", "2026-11-30T12:30:00Z", "2026-11-30T14:00:00Z"),
    ])
    func quietHoursEndAtTheirLocalTime(text: String, now: String, end: String) throws {
        let hours = try #require(QuietHours(text))
        let days = try #require(LocalDays(identifier: "Europe/Berlin"))
        #expect(hours.end(around: try #require(Instant(now)), in: days) == Instant(end))
        #expect(hours.end(around: try #require(Instant("2026-11-30T08:00:00Z")), in: days) == nil)
    }
}
