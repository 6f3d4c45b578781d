// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import LayoutEngine

/// The temperatures of forecasts in which some are missing, on displays of all sizes.
@Suite struct ForecastTemperatureTests {
    /// The temperatures of a day, and how a display may show them.
    private static let days: [(low: Double?, high: Double?)] = [(1, 10), (1, nil), (nil, 10), (nil, nil)]
    private static let panels: [(Double, Double)] = [
        (212, 104), (104, 212), (250, 122), (296, 128), (128, 64), (200, 60), (160, 80), (400, 300), (800, 480),
    ]

    /// Returns a forecast in which the temperatures of the day at `index` are missing, as in `day`.
    private static func forecast(_ day: (low: Double?, high: Double?), at index: Int) throws -> Content {
        guard case .forecast(var forecast) = try Sample.forecast() else { return try Sample.forecast() }
        (forecast.days[index].low, forecast.days[index].high) = day
        return .forecast(forecast)
    }

    private static func temperatures(_ row: LayoutView) -> Set<String> {
        Set(row.lines.filter { $0.contains("°") || $0 == "–" })
    }

    /// Returns the texts that may be shown for a day: the high one or a dash in its place, with or without the low one.
    private static func allowed(_ day: (low: Double?, high: Double?)) -> [Set<String>] {
        switch (day.low != nil, day.high != nil) {
        case (true, true): [["50°", "34°"], ["50°", "34° – 50°"], ["50°"]]
        case (true, false): [["–", "34°"], ["–", "34° – –"], ["–"]]
        case (false, true): [["50°", "–"], ["50°", "– – 50°"], ["50°"]]
        case (false, false): [["–"]]
        }
    }

    @Test(arguments: panels, TestExtent.some(of: ContentSizeCategory.allCases.reversed(), each: 4))
    func aLowTemperatureNeverStandsAloneOnAPanel(panel: (Double, Double), category: ContentSizeCategory) throws {
        let measurer = TextMeasurer()
        for day in Self.days {
            for index in 0..<2 {
                var display = try Sample.panel(panel.0, panel.1)
                display.contentSizeCategory = category
                let layout = try Sample.draw(try Self.forecast(day, at: index), on: display, measurer: measurer)
                guard index < layout.rows.count else { continue }
                let shown = Self.temperatures(layout.rows[index])
                let isAllowed = shown.isEmpty || Self.allowed(day).contains(shown)
                #expect(isAllowed, "\(day) at \(index): \(layout.rows[index].lines)")
            }
        }
    }

    @Test(arguments: [Display.Mode.compact, .expanded], ["en_US", "ar_EG"])
    func aMissingTemperatureLeavesItsPlaceToADash(mode: Display.Mode, locale: String) throws {
        func labels(_ day: (low: Double?, high: Double?)) throws -> [LayoutView] {
            let display = try Sample.today(mode) { $0.locale = locale }
            let layout = try Sample.draw(try Self.forecast(day, at: 0), on: display)
            return try #require(layout.rows.first).all.filter {
                $0.text?.lines.first?.text.contains("°") == true || $0.lines == ["–"]
            }
        }
        let (whole, withoutHigh, withoutLow) = (try labels((1, 10)), try labels((1, nil)), try labels((nil, 10)))
        #expect(whole.count == 2)
        // The low temperature is where it always is.
        #expect(withoutHigh.map(\.lines.first).map { $0 == "–" } == [true, false])
        #expect(withoutHigh.last?.frame == whole.last?.frame)
        #expect(withoutLow.map(\.lines.first).map { $0 == "–" } == [false, true])
        #expect(withoutLow.first?.frame == whole.first?.frame)
    }

    @Test(arguments: [Display.Family.accessoryInline, .accessoryCircular, .accessoryRectangular])
    func aLowTemperatureAloneIsMarkedOnSmallDisplays(family: Display.Family) throws {
        let display = try Sample.today(.compact) {
            ($0.family, $0.mode, $0.width, $0.maximumHeight) = (family, nil, 160, 72)
        }
        let lines = try Sample.draw(try Self.forecast((1, nil), at: 0), on: display).lines.joined(separator: " ")
        #expect(lines.contains("↓34°"), "\(lines)")
        let whole = try Sample.draw(try Self.forecast((1, 10), at: 0), on: display).lines.joined(separator: " ")
        #expect(whole.contains("50°") && !whole.contains("↓"), "\(whole)")
    }
}
