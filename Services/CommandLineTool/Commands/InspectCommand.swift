// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import JSON
import OriginRules
import ServiceRuntime
import SourceParsing
import Text
import WidgetSchema

/// `tidings inspect`: shows the parsed form of a document.
enum InspectCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings inspect",
        summary: "Shows the parsed form of a document.",
        operands: [
            Operand(
                "DOCUMENT",
                help: "A file, an http or https address, - for standard input, or a link of a day in a forecast, "
                    + "\(ForecastLink.scheme)://?\(ForecastLink.parameter)=N."
            )
        ],
        options: [
            Option(
                "kind",
                short: "k",
                value: "KIND",
                choices: WidgetKind.allCases.map(\.rawValue),
                help: "The kind of widget that the document is parsed for (default: feed)."
            ),
            Option(
                "option",
                short: "o",
                value: "NAME=VALUE",
                isRepeatable: true,
                help: "An option of the parser, such as title=/name for json, value.0=City=/city for keyValue."
            ),
            Option("widget", short: "w", value: "WIDGET", help: "Parse the document as for this configured widget."),
            .config,
            Option(
                "content-type",
                value: "TYPE",
                help: "The document's Content-Type (default: that of the origin's answer, else none)."
            ),
            Option(
                "base",
                value: "URL",
                help: "What relative links are resolved against (default: the document's address)."
            ),
            Option(
                "explain",
                help:
                    "Explain the request, the answer and the time of the next request instead; with --widget, for its "
                    + "interval."
            ),
        ],
        notes: """
            Writes one JSON object: for a feed, 'feed' and 'items'; for any other kind, the
            content as published on the bus, with its 'kind'; for a link, its day. Exit
            status: 1 if a fetcher would reject the document (the error has line, column and
            JSON Pointer), or if the link is malformed; 3 if its origin cannot be reached.
            """
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let parsing = try parsing(options, environment: environment)
        let operand = options.operands[0]
        if operand.lowercased().hasPrefix("\(ForecastLink.scheme):") { return try inspect(link: operand) }
        if options.has("explain") {
            return try explain(options, parsing, environment: environment)
        }
        var document =
            OriginRequest.isAddress(operand) ? try OriginRequest.document(operand) : try Document.read(operand)
        // A script may pass empty values.
        if let base = options.value("base"), !base.isEmpty { document.base = base }
        if let type = options.value("content-type"), !type.isEmpty { document.contentType = type }
        let isPretty = isatty(STDOUT_FILENO) == 1
        if case .feed(let options) = parsing {
            var failure: (any Error)?
            var writer = JSONStreamWriter(isPretty: isPretty) { text in
                guard failure == nil else { return }
                do { try StandardOutput.write(text) } catch { failure = error }
            }
            InspectedFeed(feed: try feed(of: document, options)).write(to: &writer)
            if let failure { throw failure }
            noteUnusedMembers(of: document, parsing)
            return .done
        }
        try StandardOutput.write(json(content(of: document, parsing), isPretty: isPretty) + "\n")
        return .done
    }

    /// Shows which day the link of a forecast row points to.
    ///
    /// An app parses the link in the same way when the user taps on the row.
    private static func inspect(link: String) throws -> CommandStatus {
        let day = try ForecastLink(parsing: link).daysFromNow
        let isPretty = isatty(STDOUT_FILENO) == 1
        try StandardOutput.write(json([ForecastLink.parameter: day], isPretty: isPretty) + "\n")
        return .done
    }

    /// Requests a URL, and shows how a fetcher and the cache would handle the answer or the failure.
    private static func explain(
        _ options: ParsedOptions,
        _ parsing: Parsing,
        environment: [String: String]
    ) throws -> CommandStatus {
        let url = options.operands[0]
        guard OriginRequest.isAddress(url) else {
            throw wrongUse("--explain needs an http or https address, not '\(url)'")
        }
        let result = OriginRequest.answer(url)
        let explained = result.map { response in
            guard let contentType = options.value("content-type"), !contentType.isEmpty else { return response }
            return response.replacing(contentType: contentType)
        }
        var explanation = OriginExplanation(url: url, parsing: parsing, result: explained, answeredAt: .now)
        if let widget = try widget(options, environment: environment) {
            explanation.intervals = .init(interval: widget.interval, minimumInterval: widget.minimumInterval)
        }
        let style = Terminal.ofOutput(environment: environment).style
        try StandardOutput.write(explanation.text(style))
        if case .failure(let failure) = result { return failure.status }
        return explanation.isGood ? .done : .no
    }

    /// Returns the configured widget that `--widget` names; nil without the option.
    private static func widget(
        _ options: ParsedOptions,
        environment: [String: String]
    ) throws -> TidingsConfiguration.Widget? {
        guard let name = options.value("widget") else { return nil }
        let configuration = try options.configuration(environment)
        if let widget = WidgetID(rawValue: name).flatMap(configuration.widget) { return widget }
        let hint = EditDistance.hint(for: name, among: configuration.widgets.map(\.id.rawValue), else: "")
        throw CommandFailure(.no, "there is no widget '\(name)' in the configuration\(hint)")
    }

    /// Returns the parsing for the document: the kind of its content, and the options of the parser.
    ///
    /// If `--widget` is set, this is the parsing of that widget in the configuration. Otherwise, it is a parsing of the
    /// kind that `--kind` selects. Each `--option` then sets one option of the parsing.
    static func parsing(_ options: ParsedOptions, environment: [String: String]) throws -> Parsing {
        let kind: WidgetKind? = try options.value("kind").map { try choice($0, "'\($0)' is not a kind") }
        var parsing = Parsing(kind: kind ?? .feed)
        if let widget = try widget(options, environment: environment) {
            guard kind == nil || kind == widget.parsing.kind else {
                throw wrongUse(
                    "widget '\(widget.id)' is of kind \(widget.parsing.kind.rawValue), not \(parsing.kind.rawValue)"
                )
            }
            parsing = widget.parsing
        }
        var texts = parsing.options
        for text in options.values("option") {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw wrongUse("'\(text)' does not have the form NAME=VALUE") }
            guard parsing.kind.hasParsingOption(parts[0]) else {
                let known = parsing.kind.parsingOptions
                let hint = known.isEmpty ? "; it has none" : EditDistance.hint(for: parts[0], among: known)
                throw wrongUse("kind \(parsing.kind.rawValue) has no option '\(parts[0])'\(hint)")
            }
            texts[parts[0]] = parts[1]
        }
        parsing = Parsing(kind: parsing.kind, options: texts)
        if case .invalid(_, _, let error) = parsing { throw wrongUse("option \(error)") }
        return parsing
    }

    /// Returns a feed with all of its parts, in the order in which widgets show them.
    ///
    /// Throws if a fetcher would reject the document.
    static func feed(of document: Document, _ options: FeedParsing) throws(CommandFailure) -> ParsedFeed {
        try read(document) { body throws(ParsingError) in try SourceParser.parseFeed(body, options: options) }
    }

    static func content(of document: Document, _ parsing: Parsing) throws(CommandFailure) -> Content {
        let content = try read(document) { body throws(ParsingError) in try SourceParser.parse(body, parsing: parsing) }
        noteUnusedMembers(of: document, parsing)
        return content
    }

    /// Calls `parse` with the document; its error names the document as the user did, not by the base address of its
    /// links.
    private static func read<Result>(
        _ document: Document,
        _ parse: (SourceBody) throws(ParsingError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(ParsingError) {
            return try parse(document.body)
        } catch {
            throw CommandFailure(.no, error.text(name: document.name))
        }
    }

    /// Names the members of a document that were not used, on standard error.
    static func noteUnusedMembers(of document: Document, _ parsing: Parsing) {
        guard let text = UnusedMember.text(UnusedMember.find(in: document.body, parsing: parsing)) else { return }
        Program.note("note: \(document.name): \(text)")
    }

    static func json(_ value: some Encodable, isPretty: Bool) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
