// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials
internal import WidgetSchema

extension SourceParser {
    /// Parses a JSON document or a property list, and returns its content.
    ///
    /// Supports every kind of content except `feed`.
    static func parseJSON(
        _ body: SourceBody,
        parsing: Parsing,
        work: ParsingWork
    ) throws(ParsingError) -> SourceReading {
        let document = try SourceDocument(body, work: work)
        var content: Content
        var dependsOnReceipt = false
        do throws(JSONFault) {
            switch parsing {
            case .keyValue(let options): content = .keyValue(try KeyValueReader.read(document, options))
            case .forecast(let options):
                let reading = try ForecastReader.read(document, options, received: body.received)
                content = .forecast(reading.content)
                dependsOnReceipt = reading.dependsOnReceipt
            case .quote: content = .quote(try QuoteReader.read(document))
            case .documents: content = .documents(try DocumentsReader.read(document))
            case .json(let options): content = .json(try RowsReader.read(document, options))
            case .feed, .invalid: throw document.root.fault("internal error: kind \(parsing.kind) is not read as JSON")
            }
            content.hasContent = try Visibility.hasContent(in: document.root)
        } catch {
            throw document.error(error)
        }
        // If the work was exhausted, the content is incomplete.
        try work.check()
        return SourceReading(content: content.normalized, dependsOnReceipt: dependsOnReceipt)
    }
}
