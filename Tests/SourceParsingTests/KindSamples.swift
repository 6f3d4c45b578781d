// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import WidgetSchema

/// The sample documents of the tests of kinds other than feeds, and the functions that parse them.
enum KindSamples {
    static let documentURL = "https://origin.example/api/data.json"

    static func parse(
        _ bytes: Data,
        _ kind: WidgetKind,
        options: [String: String] = [:],
        contentType: String? = nil
    ) throws(ParsingError) -> Content {
        let content = try SourceParser.parse(
            SourceBody(bytes, contentType: contentType, documentURL: documentURL),
            parsing: Parsing(kind: kind, options: options)
        )
        guard content.kind == kind, content.faults.isEmpty else {
            let message = "it has faults: \(content.kind) \(content.faults)"
            throw ParsingError(kind: .wrongFormat, message: message, documentURL: documentURL)
        }
        return content
    }

    static func parse(
        _ text: String,
        _ kind: WidgetKind,
        options: [String: String] = [:]
    ) throws(ParsingError) -> Content { try parse(Data(text.utf8), kind, options: options) }

    /// Returns the error with which a text is rejected; nil if it is accepted.
    static func fault(_ text: String, _ kind: WidgetKind, options: [String: String] = [:]) -> ParsingError? {
        do throws(ParsingError) {
            _ = try parse(text, kind, options: options)
            return nil
        } catch {
            return error
        }
    }

    static func days(_ text: String, timeZone: String? = nil) throws(ParsingError) -> [ForecastDay] {
        let content = try parse(text, .forecast, options: ForecastParsing(timeZone: timeZone).options)
        guard case .forecast(let forecast) = content else { return [] }
        return forecast.days
    }

    /// Returns the options for values that are written `LABEL=POINTER&LABEL=POINTER`.
    static func chosen(_ values: String?) -> [String: String] {
        let values = values?.split(separator: "&").map(String.init) ?? []
        return Dictionary(uniqueKeysWithValues: values.enumerated().map { ("value.\(100 + $0.offset)", $0.element) })
    }

    /// Facts as `key=value`.
    static func facts(_ text: String, values: String? = nil) throws(ParsingError) -> [String] {
        let content = try parse(text, .keyValue, options: chosen(values))
        guard case .keyValue(let facts) = content else { return [] }
        return facts.pairs.map { "\($0.key)=\($0.value)" }
    }

    static func quotes(_ text: String) throws(ParsingError) -> [Quote] {
        guard case .quote(let quotes) = try parse(text, .quote) else { return [] }
        return quotes.quotes
    }

    static func documents(_ text: String) throws(ParsingError) -> [RecentDocument] {
        guard case .documents(let recent) = try parse(text, .documents) else { return [] }
        return recent.documents
    }

    static func rows(_ text: String, _ options: [String: String]) throws(ParsingError) -> [ContentRow] {
        guard case .json(let list) = try parse(text, .json, options: options) else { return [] }
        return list.rows
    }

    // In the shapes that services answer with; the values are made up.

    static let openMeteo = """
        {"latitude":52.52,"longitude":13.419998,"generationtime_ms":0.24,"utc_offset_seconds":3600,
        "timezone":"Europe/Berlin","timezone_abbreviation":"GMT+1","elevation":40.0,
        "daily_units":{"time":"iso8601","weather_code":"wmo code","temperature_2m_max":"°C","temperature_2m_min":"°C"},
        "daily":{"time":["2026-11-21","2026-11-22","2026-11-23"],"weather_code":[3,null,96],
        "temperature_2m_max":[8.4,null,5.0],"temperature_2m_min":[2.1,0.5,null]}}
        """

    static let facts = """
        {"longitude":-122.0838,"latitude":37.386,"asn":"AS15169","offset":"-7","ip":"192.0.2.8","city":"Mountain View",
        "region":null,"company":{"name":"Example","network":{"size":24}},"languages":["en"],"in_eu":false,"postal":""}
        """

    static let quotes = """
        [{"q":"Begin, and half is done.","a":"Ada","h":"<blockquote>"},{"content":"Look twice.","author":"Ole",
        "source":"Letters"},{"text":"A third.","author":{"name":"Kim"}},"Just words"]
        """

    static let documents = """
        [{"id":"1","title":"Notes","url":"exampleapp://documents/1","openedAt":"2026-11-20T08:00:00Z","icon":"doc"},
        {"id":2,"title":"Plan","link":"https://example.org/plan","openedAt":"2026-11-21T08:00:00Z"},
        {"title":"Old"}]
        """

    static let builds = """
        {"page":1,"items":[{"id":11,"name":"main","size":1500000,"share":0.5,"url":"builds/11",
        "at":"2026-11-21T00:49:16Z"},{"id":12,"name":"docs","size":"20","share":"1","url":"/builds/12","at":1795222156}]}
        """

    static let buildOptions = [
        "list": "/items", "title": "/name", "subtitle": "/size", "subtitleFormat": "bytes", "link": "/url",
        "date": "/at", "id": "/id",
    ]
}
