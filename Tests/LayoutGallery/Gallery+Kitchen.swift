// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import LayoutEngine
import WidgetSchema

extension SampleBoard {
    /// A board of five widgets at 800 by 480 pixels, with contents as in a kitchen.
    static var kitchen: SampleBoard {
        var board = SampleBoard(Gallery.lyingPanels[0], .mono, .english, cells: 5)
        let morning = Instant(year: 2026, month: 11, day: 28, millisecondsOfDay: 31_260_000)
        for (index, place) in kitchenPlaces.enumerated() {
            let frame = place.frame
            board.cells[index].frame = frame
            var sample = board.cells[index].item.sample
            sample.definition = WidgetDefinition(kind: place.content.kind, name: place.name, show: .all)
            (sample.content, sample.instant) = (place.content, morning)
            (sample.display.width, sample.display.maximumHeight) = (frame.width, frame.height)
            (sample.display.locale, sample.display.timeZone) = ("en_GB", "Europe/Lisbon")
            if place.isStale { sample.staleSince = ago(hours: 14.2, of: morning) }
            board.cells[index].item.sample = sample
        }
        return board
    }

    private struct Place {
        let frame: Rectangle
        var name: String?
        let content: Content
        var isStale = false
    }

    private static func ago(hours: Double, of instant: Instant) -> Instant {
        instant.advanced(byMilliseconds: -Int64(hours * 3_600_000))
    }

    private static var kitchenPlaces: [Place] {
        let morning = Instant(year: 2026, month: 11, day: 28, millisecondsOfDay: 31_260_000)
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
