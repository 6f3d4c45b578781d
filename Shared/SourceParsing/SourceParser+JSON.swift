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
    ) throws(ParsingError) -> Content {
        let document = try SourceDocument(body, work: work)
        let reading = try reading(of: parsing, received: body.received)
        var content: Content
        do throws(JSONFault) {
            content = try reading(document)
            content.hasContent = try Visibility.hasContent(in: document.root)
        } catch {
            throw document.error(error)
        }
        // If the work was exhausted, the content is incomplete.
        try work.check()
        return content
    }

    /// Returns the function that reads a document as content of the kind that `parsing` requests.
    ///
    /// Throws if the options of `parsing` are invalid.
    private static func reading(
        of parsing: Parsing,
        received: Instant?
    ) throws(ParsingError) -> (SourceDocument) throws(JSONFault) -> Content {
        switch parsing.kind {
        case .keyValue:
            let options = try options(KeyValueParsing.init, parsing)
            return { document throws(JSONFault) in .keyValue(try KeyValueReader.read(document, options)) }
        case .forecast:
            let options = try options(ForecastParsing.init, parsing)
            return { document throws(JSONFault) in
                .forecast(try ForecastReader.read(document, options, received: received))
            }
        case .quote: return { document throws(JSONFault) in .quote(try QuoteReader.read(document)) }
        case .feed:
            return { document throws(JSONFault) in
                throw document.root.fault("internal error: a feed was passed to the parser for JSON content")
            }
        case .documents: return { document throws(JSONFault) in .documents(try DocumentsReader.read(document)) }
        case .json:
            let options = parsing.options.isEmpty ? nil : try options(RowsParsing.init, parsing)
            return { document throws(JSONFault) in .json(try RowsReader.read(document, options)) }
        }
    }
}
