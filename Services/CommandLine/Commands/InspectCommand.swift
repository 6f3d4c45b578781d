// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime
import SourceParsing
import WidgetSchema

/// `tidings inspect`: what a document is understood as, before any widget shows it.
enum InspectCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings inspect",
        summary: "Shows what a feed is understood as.",
        operands: [Operand("DOCUMENT", help: "A file, an http or https address, or - for standard input.")],
        options: [
            Option(
                "kind",
                short: "k",
                value: "KIND",
                choices: WidgetKind.allCases.map(\.rawValue),
                help: "What it is read as: feed (default: feed)."
            ),
            Option(
                "content-type",
                value: "TYPE",
                help: "The Content-Type it was sent with (default: what the origin says, else none)."
            ),
            Option(
                "base",
                value: "URL",
                help: "What relative links are resolved against (default: the document's address)."
            ),
            Option(
                "explain",
                help: "Say instead how an address is asked, what came, and when it would be asked again."
            ),
        ],
        notes: "Writes one JSON object with 'feed' and 'items'. Exit status: 1 where the\n"
            + "document is no feed; 3 where its origin cannot be reached."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let kind = try kind(options.value("kind"))
        let operand = options.operands[0]
        if options.has("explain") {
            return try explain(operand, kind, contentType: options.value("content-type"), environment: environment)
        }
        var document =
            OriginRequest.isAddress(operand) ? try OriginRequest.document(operand) : try Document.read(operand)
        // A script passes on what it has, which may be nothing.
        if let base = options.value("base"), !base.isEmpty { document.base = base }
        if let type = options.value("content-type"), !type.isEmpty { document.contentType = type }
        let isPretty = isatty(STDOUT_FILENO) == 1
        guard kind != .feed else {
            var writer = JSONWriter(isPretty: isPretty) { StandardStream.output.write($0) }
            InspectedFeed(feed: try feed(of: document)).write(to: &writer)
            return .done
        }
        StandardStream.output.write(try json(content(of: document, kind: kind), isPretty: isPretty) + "\n")
        return .done
    }

    /// Tells what a fetcher and the cache make of an address; a failure is an explanation, too.
    private static func explain(
        _ url: String,
        _ kind: WidgetKind,
        contentType: String?,
        environment: [String: String]
    ) throws -> CommandStatus {
        guard OriginRequest.isAddress(url) else {
            throw wrongUse("--explain is about an http or https address, not '\(url)'")
        }
        let result = OriginRequest.answer(url)
        let explanation = OriginExplanation(
            url: url,
            kind: kind,
            contentType: contentType.flatMap { $0.isEmpty ? nil : $0 },
            result: result,
            answeredAt: .now
        )
        let style = Terminal.ofOutput(environment: environment).style
        StandardStream.output.write(explanation.text(style))
        if case .failure(let failure) = result { return failure.status }
        return explanation.isGood ? .done : .no
    }

    static func kind(_ text: String?) throws(UsageError) -> WidgetKind {
        guard let text else { return .feed }
        if let kind = WidgetKind(rawValue: text) { return kind }
        let kinds = WidgetKind.allCases.map(\.rawValue)
        let suggestion = EditDistance.closest(to: text, among: kinds).map { "; did you mean '\($0)'?" }
        throw wrongUse("'\(text)' is no kind" + (suggestion ?? "; there are \(kinds.joined(separator: ", "))"))
    }

    static func feed(of document: Document) throws(CommandFailure) -> ParsedFeed {
        do {
            return try SourceParser.parseFeed(
                document.bytes,
                contentType: document.contentType,
                documentURL: document.base
            )
        } catch {
            // The place is where a person finds it, not what links are resolved against.
            var error = error
            error.documentURL = document.name
            throw CommandFailure(.no, "\(error)")
        }
    }

    static func content(of document: Document, kind: WidgetKind) throws(CommandFailure) -> Content {
        do {
            return try SourceParser.parse(
                document.bytes,
                parsing: Parsing(kind: kind),
                contentType: document.contentType,
                documentURL: document.base
            )
        } catch {
            var error = error
            error.documentURL = document.name
            throw CommandFailure(.no, "\(error)")
        }
    }

    static func json(_ value: some Encodable, isPretty: Bool) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
