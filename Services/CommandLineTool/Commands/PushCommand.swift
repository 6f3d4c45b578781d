// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import MessageBus
import ServiceRuntime
import SourceParsing
import WidgetSchema

/// `tidings push`: sends content for a widget, by hand or from a script, and shows the verdict.
enum PushCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings push",
        summary: "Sends content to a widget, by hand or from a script, and shows the verdict.",
        operands: [
            Operand("WIDGET", help: "The widget's id."),
            Operand("FILE", help: "The content: JSON, a feed or a property list; - for standard input."),
        ],
        options: [
            Option(
                "kind",
                short: "k",
                value: "KIND",
                choices: WidgetKind.allCases.map(\.rawValue),
                help: "The kind of the content (default: that of the widget)."
            ),
            Option("no-content", help: "Make displays hide the widget until the next push: it has nothing to show."),
        ] + SendCommand.cycleOptions("push") + BusChoice.options,
        notes: """
            FILE is any document that 'tidings inspect' reads as the widget's kind: a feed,
            a JSON Feed, JSON or a property list, as PUT .../content of the gateway accepts
            it. Members that were not used are named.

            A feed may also be {"title": …, "link": …, "items": [{"id": …, "title": …,
            "author": …, "published": "2026-11-21T00:49:16Z", "link": …, "summary": …}, …]},
            or the items alone, or what 'tidings inspect' writes. Of an item only the title
            is needed.

            The widget's kind and its 'items' or 'values' come from the configuration; if it
            does not have the widget, the kind comes from FILE or from the bus.

            For kind documents, {"remove": ["ID"]} removes documents from the list on show.

            Exit status: 1 if the content is invalid (all errors are shown with their
            places), if there is no such widget, or if the push is rejected.
            """
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let widget: WidgetID = try id(options.operands[0], "widget id")
        let (client, counter) = try SendCommand.sender(options, environment: environment, now: .now)
        let address = try BusChoice.address(options, environment: environment)
        let pushed = try document(of: options, for: widget, at: address, environment: environment)
        var request = PushRequest(
            client: client,
            counter: counter,
            widget: widget,
            content: pushed.content,
            hasContent: options.has("no-content") ? false : nil
        )
        request.remove = pushed.removed
        return try SendCommand.deliver(
            request,
            to: widget,
            at: address,
            SendCommand.VerdictOutput(options, environment: environment)
        )
    }

    /// Reads the operand `FILE`, and names the members that were not used on standard error.
    private static func document(
        of options: ParsedOptions,
        for widget: WidgetID,
        at address: BusAddresses,
        environment: [String: String]
    ) throws -> PushedDocument {
        let kind: WidgetKind? = try options.value("kind").map { try choice($0, "'\($0)' is not a kind") }
        let document = try Document.read(options.operands[1])
        let configuration = options.partialConfiguration(environment).configuration
        let configured = configuration.widget(widget)?.parsing
        // If the kind is known without the bus, errors of the content are reported even if no bus is running.
        let pushed: PushedDocument
        if let known = parsing(of: document, kind: kind, configured: configured) {
            pushed = try read(document, known)
        } else {
            do {
                pushed = try read(document, Parsing(kind: try self.kind(of: widget, at: address)))
            } catch let failure as CommandFailure where failure.status == .unreachable {
                _ = try read(document, Parsing(kind: .feed))
                throw failure
            }
        }
        if let text = UnusedMember.text(pushed.unused) {
            Program.note("note: \(document.name): \(text)")
        }
        return pushed
    }

    /// Returns the parsing of a document: that of the option `--kind`, or else of the configured widget, or else of the
    /// kind that the document declares; nil if there is none of these.
    ///
    /// `configured` is the parsing of the widget in the configuration. Its options are used if its kind is the chosen one.
    static func parsing(of document: Document, kind: WidgetKind?, configured: Parsing?) -> Parsing? {
        let chosen = kind ?? configured?.kind ?? PushedDocument.declaredKind(of: document.bytes)
        guard let chosen else { return nil }
        return configured?.kind == chosen ? configured : Parsing(kind: chosen)
    }

    /// Reads a document; throws all its errors with their places.
    static func read(_ document: Document, _ parsing: Parsing) throws(CommandFailure) -> PushedDocument {
        do throws(DocumentFaults) {
            return try PushedDocument.read(document.body, parsing: parsing)
        } catch {
            throw CommandFailure(.no, error.text(name: document.name))
        }
    }

    /// Returns the kind of a widget, which the cache knows.
    private static func kind(of widget: WidgetID, at address: BusAddresses) throws -> WidgetKind {
        let session = try BusSession(address)
        defer { session.close() }
        let page = try session.ask(RequestTarget(.cache), SnapshotRequest<Refreshed>(widgets: [widget]))
        if let kind = page.records.first(where: { $0.widget == widget })?.data.definition.kind { return kind }
        throw KnownWidgets.missing(widget, "there is no widget", session)
    }
}
