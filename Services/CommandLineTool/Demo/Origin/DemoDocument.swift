// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A JSON document of the demo, in the format of a public API; the raw value is its path.
///
/// The content depends only on two values: the step, which is the number of earlier requests for the document, and the
/// start time of the origin.
enum DemoDocument: String, Sendable, CaseIterable {
    /// The location of an IP address, in the format of geolocation services; always the same.
    case place = "/place.json"
    /// The weather of eight days, in the format of Open-Meteo's daily forecast.
    ///
    /// Every answer has different bytes, because `generationtime_ms` changes. Every third answer has a new forecast.
    case weather = "/weather.json"
    /// A dozen quotes; always the same.
    case quotes = "/quotes.json"
    /// The latest builds of a project; every second answer has a new build.
    case builds = "/builds.json"

    static let contentType = "application/json"
    static let forecastDays = 8
    static let buildCount = 8

    /// Returns the document for a step, which is the number of earlier requests; dates are relative to `start`.
    ///
    /// `start` is in seconds since 1970.
    func body(at step: Int, start: Int) -> String {
        switch self {
        case .place: Self.placeBody
        case .weather: Self.weather(at: step, start: start)
        case .quotes: Self.quotesBody
        case .builds: Self.builds(at: step, start: start)
        }
    }

    private static let placeBody = """
        {"ip": "192.0.2.17", "city": "Lisbon", "region": "Lisboa", "country": "Portugal", "country_code": "PT",
         "continent_code": "EU", "latitude": 38.7223, "longitude": -9.1393, "timezone": "Europe/Lisbon",
         "postal_code": "1100-148", "organization": "Example Networks"}

        """

    private static let quotesBody = """
        {"quotes": [
          {"text": "Well begun is half done.", "author": "Aristotle", "source": "Politics"},
          {"text": "He who knows others is wise; he who knows himself is enlightened.", "author": "Laozi", \
        "source": "Tao Te Ching"},
          {"text": "No man ever steps in the same river twice.", "author": "Heraclitus"},
          {"text": "Fortune favours the bold.", "author": "Virgil", "source": "Aeneid"},
          {"text": "The unexamined life is not worth living.", "author": "Socrates", "source": "Plato, Apology"},
          {"text": "While we are postponing, life speeds by.", "author": "Seneca", "source": "Letters to Lucilius"},
          {"text": "What we learn to do, we learn by doing.", "author": "Aristotle", \
        "source": "Nicomachean Ethics"},
          {"text": "A journey of a thousand miles begins beneath one's feet.", "author": "Laozi"},
          {"text": "Nature does nothing in vain.", "author": "Aristotle"},
          {"text": "The beginning is the most important part of the work.", "author": "Plato", \
        "source": "Republic"},
          {"text": "It is not because things are difficult that we do not dare.", "author": "Seneca"},
          {"text": "Dripping water hollows out stone.", "author": "Ovid", "source": "Letters from the Black Sea"}
        ]}

        """

    private static func weather(at step: Int, start: Int) -> String {
        let codes = [2, 3, 61, 3, 2, 0, 0, 1]
        let change = step / 3
        // The list begins one day before `start`, because that may still be the local date in the demo's time zone.
        let days = (0..<forecastDays).map { start / 86_400 - 1 + $0 }
        func list(_ values: [String]) -> String { "[" + values.joined(separator: ", ") + "]" }
        let dates = list(days.map { "\"\(FeedDateText.day($0))\"" })
        let weather = list(days.map { String(codes[($0 + change) % codes.count]) })
        let highs = list(days.map { String(format: "%.1f", 16 + Double(($0 + change) % 5)) })
        let lows = list(days.map { String(format: "%.1f", 9.5 + Double(($0 * 2 + change) % 4)) })
        return """
            {"latitude": 38.72, "longitude": -9.14, "generationtime_ms": 0.\(1000 + step), "timezone": "GMT",
             "daily_units": {"time": "iso8601", "weather_code": "wmo code", "temperature_2m_max": "°C", \
            "temperature_2m_min": "°C"},
             "daily": {"time": \(dates), "weather_code": \(weather),
                       "temperature_2m_max": \(highs), "temperature_2m_min": \(lows)}}

            """
    }

    private static func builds(at step: Int, start: Int) -> String {
        let branches = ["main", "release", "fix/midnight", "main", "docs"]
        let newest = buildCount + step / 2
        let builds = (0..<buildCount).map { index in
            let number = newest - index
            // The builds that finished before the start are half an hour apart.
            let age = number <= buildCount ? (buildCount - number) * 1800 : 0
            let finished = start + max(number - buildCount, 0) * 60 - age
            return """
                {"number": \(number), "branch": "\(branches[number % branches.count])", \
                "name": "Build \(number), \(branches[number % branches.count])", \
                "coverage": 0.\(870 + number % 13), "size": \(4_200_000 + number * 12_345), \
                "finished": \(finished), "url": "https://builds.tidings.example/\(number)"}
                """
        }
        return "{\"builds\": [\n  \(builds.joined(separator: ",\n  "))\n]}\n"
    }
}
