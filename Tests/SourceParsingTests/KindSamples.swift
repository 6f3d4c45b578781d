// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

@testable import SourceParsing

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
            throw ParsingError(.wrongFormat, message)
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
        let content = try parse(text, .forecast, options: timeZone.map { ["timeZone": $0] } ?? [:])
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

    private static func text(_ file: String) -> String {
        String(decoding: (try? FeedSamples.fixture(file)) ?? Data(), as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    // In the shapes that services answer with; the values are made up.
    static let openMeteo = text("open-meteo.json")
    static let facts = text("facts.json")
    static let quotes = text("quotes.json")
    static let documents = text("documents.json")
    static let builds = text("builds.json")
    static let buildOptions = [
        "list": "/items", "title": "/name", "subtitle": "/size", "subtitleFormat": "bytes", "link": "/url",
        "date": "/at", "id": "/id",
    ]
}
