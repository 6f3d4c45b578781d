// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import MessageBus
import ServiceRuntime
import WidgetSchema

/// `tidings push`: sends content for a widget, by hand or from a script, and shows the verdict.
enum PushCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings push",
        summary: "Sends content to a widget, by hand or from a script, and shows the verdict.",
        operands: [
            Operand("WIDGET", help: "The widget's id."),
            Operand("FILE", help: "The content as JSON; - for standard input."),
        ],
        options: [
            Option(
                "kind",
                short: "k",
                value: "KIND",
                choices: WidgetKind.allCases.map(\.rawValue),
                help: "The kind of the content (default: the value of 'kind' in FILE, else feed)."
            ),
            Option("no-content", help: "Make hosts hide the widget until the next push: it has nothing to show."),
            Option("client", value: "ID", help: "Who pushes (default: tidings-USER@HOST)."),
            Option(
                "counter",
                value: "N",
                help: "The number of this push, higher than that of the client's previous one (default: the time in "
                    + "milliseconds)."
            ),
            Option("no-wait", help: "Do not wait for the verdict; show the cycle's number only."),
            Option("json", short: "j", help: "The verdict as one CloudEvent."),
        ] + BusChoice.options,
        notes: """
            For a feed FILE holds {"title": …, "link": …, "items": [{"id": …, "title": …,
            "author": …, "published": "2026-11-21T00:49:16Z", "link": …, "summary": …}, …]},
            or the items alone, or what 'tidings inspect' writes. Of an item only the title
            is needed.

            For every other kind, FILE holds what 'tidings inspect --kind KIND' writes:
            {"kind": "documents", "documents": {"documents": [{"id": …, "title": …}, …]}}.
            With --kind KIND, FILE may also be any document that 'tidings inspect' reads as
            that kind.

            Exit status: 1 if the content is invalid (all errors are shown with their
            places), if there is no such widget, or if the push is rejected.
            """
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let text = options.operands[0]
        guard let widget = WidgetID(rawValue: text) else {
            throw wrongUse("'\(text)' is not a valid widget id: \(WidgetID.rule)")
        }
        let (client, counter) = try SendCommand.sender(options, table.command, environment: environment, now: .now)
        let address = try BusChoice.address(options, environment: environment)
        // The content is read before the bus is contacted, so that its errors are reported even if no bus is running.
        let kind = try options.value("kind").map { try InspectCommand.kind($0, command: table.command) }
        let content = try content(of: try Document.read(options.operands[1]), kind: kind)
        return try SendCommand.deliver(
            PushRequest(
                client: client,
                counter: counter,
                widget: widget,
                content: content,
                hasContent: options.has("no-content") ? false : nil
            ),
            to: widget,
            at: address,
            SendCommand.VerdictOutput(options, environment: environment)
        )
    }

    /// Returns the content of a document that is parsed as `kind`.
    ///
    /// If `kind` is nil, the document is parsed as the kind that it declares, or as `feed` if it declares none.
    static func content(of document: Document, kind: WidgetKind? = nil) throws(CommandFailure) -> Content {
        // A document of a kind other than feed need not be UTF-8 text: it can be a property list, or JSON in UTF-16.
        if let kind, kind != .feed { return try InspectCommand.content(of: document, Parsing(kind: kind)) }
        let text = try document.text()
        if kind == nil, let named = PushedContent.kind(of: text), named != .feed {
            return try InspectCommand.content(of: document, Parsing(kind: named))
        }
        do throws(PushedContent.Faults) {
            return try PushedContent.read(text)
        } catch {
            throw CommandFailure(.no, error.faults.map { "\(document.name):\($0)" }.joined(separator: "\n"))
        }
    }
}
