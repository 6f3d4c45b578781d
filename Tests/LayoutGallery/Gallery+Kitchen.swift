// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import LayoutEngine
import WidgetSchema

extension SampleBoard {
    /// Returns a board of five widgets at 800 by 480 pixels, with contents as in a kitchen.
    ///
    /// The large cells are 464 and 288 pixels wide, as on the picture that the rules for panels were drawn for.
    static func kitchen(_ palette: PanelPalette = .mono) -> SampleBoard? {
        let places = kitchenPlaces
        let header = Rectangle(x: 16, y: 10, width: 768, height: 32)
        var board = SampleBoard(
            Gallery.lyingPanels[0],
            palette,
            .english,
            header,
            places.map(\.frame),
            locale: "en_GB",
            timeZone: "Europe/Lisbon"
        ) { places[$0].content.kind }
        board?.show(places)
        return board
    }

    /// Returns the same widgets in the cells of the preset `two-three`.
    static func kitchenOnGrid(_ palette: PanelPalette = .mono) -> SampleBoard? {
        let places = kitchenPlaces
        let grid = BoardGrid(width: 800, height: 480, hasHeader: true)
        let frames = BoardPreset.twoThree.areas(isPortrait: false).map(grid.frame(of:))
        var board = SampleBoard(
            Gallery.lyingPanels[0],
            palette,
            .english,
            grid.header,
            frames,
            locale: "en_GB",
            timeZone: "Europe/Lisbon"
        ) { places[$0].content.kind }
        board?.show(places)
        return board
    }

    private mutating func show(_ places: [Place]) {
        lastChange = Self.morning
        for (index, place) in places.enumerated() {
            var sample = cells[index].item.sample
            sample.definition = WidgetDefinition(
                kind: place.content.kind,
                name: place.name,
                symbol: place.symbol,
                show: .all
            )
            (sample.content, sample.instant) = (place.content, Self.morning)
            if place.isStale { sample.staleSince = Self.ago(hours: 14.2, of: Self.morning) }
            cells[index].item.sample = sample
        }
    }

    private static let morning = Instant(year: 2026, month: 11, day: 28, millisecondsOfDay: 31_260_000)

    private struct Place {
        let frame: Rectangle
        var name: String?
        var symbol: String?
        let content: Content
        var isStale = false
    }

    private static func ago(hours: Double, of instant: Instant) -> Instant {
        instant.advanced(byMilliseconds: -Int64(hours * 3_600_000))
    }

    private static var kitchenPlaces: [Place] {
        let posts = [
            ("Ferry timetable changes for the winter, with fewer sailings on Sundays", 0.75),
            ("Library reopens after two years of renovation", 3.75),
            ("Parliament votes 312–298 to extend the rail subsidy; opposition promises a challenge", 14),
            ("第50回読書会、常設の部屋を確保", 20), ("Moon tonight", 40),
        ]
        let items = posts.enumerated().map { index, post in
            FeedItem(id: "\(index)", title: post.0, author: "Ada", published: ago(hours: post.1, of: morning))
        }
        let first = LocalDays.utc.date(at: morning)
        let weather: [(WeatherCondition, Double, Double)] = [
            (.partlyCloudy, 8, 14), (.rain, 4, 11), (.thunderstorm, -11, -3), (.heavySnow, -12, -9), (.clear, 20, 38),
            (.cloudy, 5, 12),
        ]
        let days = weather.enumerated().map { index, day in
            ForecastDay(date: first.advanced(byDays: index), condition: day.0, low: day.1, high: day.2)
        }
        let facts = [
            ("Living room", "21.5 °C"), ("Bedroom", "18.9 °C"), ("Power now", "342 W"), ("Bins, Tue", "Paper"),
            ("Next bus", "4 min"),
        ]
        let documents = [("Garden plan", 16.0), ("Letter to the landlord", 40), ("予算 2027", 200)]
        return [
            Place(
                frame: Rectangle(x: 16, y: 50, width: 464, height: 250),
                content: .feed(FeedContent(title: "The Harbour Times", items: items))
            ),
            Place(
                frame: Rectangle(x: 496, y: 50, width: 288, height: 250),
                name: "Lisbon",
                content: .forecast(ForecastContent(days: days))
            ),
            Place(
                frame: Rectangle(x: 16, y: 312, width: 280, height: 158),
                content: .quote(
                    QuoteContent(
                        quotes: [Quote(text: "Well begun is half done.", author: "Aristotle", source: "Politics")]
                    )
                )
            ),
            Place(
                frame: Rectangle(x: 312, y: 312, width: 212, height: 158),
                name: "Home",
                symbol: "house",
                content: .keyValue(
                    KeyValueContent(pairs: facts.map { KeyValuePair(key: $0.0, value: $0.1) })
                )
            ),
            Place(
                frame: Rectangle(x: 540, y: 312, width: 244, height: 158),
                content: .documents(
                    DocumentsContent(
                        documents: documents.enumerated().map { index, document in
                            RecentDocument(
                                id: "\(index)",
                                title: document.0,
                                openedAt: ago(hours: document.1, of: morning)
                            )
                        }
                    )
                ),
                isStale: true
            ),
        ]
    }
}
