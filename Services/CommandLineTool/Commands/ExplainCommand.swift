// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import MessageBus
import WidgetSchema

/// `tidings explain`: shows the events of all services about one cycle of a widget, and the reason for its verdict.
enum ExplainCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings explain",
        summary: "Shows one cycle service by service, and the reason for its verdict.",
        operands: [
            Operand("WIDGET", help: "The widget's id."),
            Operand("SEQUENCE", isOptional: true, help: "The cycle's number (default: the last)."),
        ],
        options: [
            Option("json", short: "j", help: "The events of the cycle, one for each service, as one JSON object.")
        ] + BusChoice.options,
        notes: "Exit status: 1 if there is no such widget or cycle, or if the cycle is no longer\nstored."
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let widget: WidgetID = try id(options.operands[0], "widget id")
        let wanted = try options.operands.dropFirst().first.map(Self.sequence)
        let session = try BusSession(
            try BusChoice.address(options, environment: environment),
            subscriptions: [Topic.Prefix.schedule]
        )
        defer { session.close() }
        let last = try last(of: widget, session)
        let update = try wanted.map { try cycle($0, of: widget, last: last, session) } ?? last
        let sequence = update.range?.sequence ?? .zero
        let isLast = sequence == last.range?.sequence
        let source = isLast ? source(of: widget, options, environment: environment) : nil
        let explanation = Explanation(
            update: update,
            previous: record(Update.self, sequence.previous, of: widget, session),
            committed: record(Refreshed.self, sequence, of: widget, session),
            laidOut: record(LaidOut.self, sequence, of: widget, session),
            fetch: source.flatMap { AnnouncedFetch.next(of: $0, session) },
            deliveries: deliveries(of: update, widget, session),
            isLast: isLast,
            style: Terminal.ofOutput(environment: environment).style
        )
        if options.has("json") {
            try StandardOutput.write(json: explanation)
        } else {
            try StandardOutput.write(explanation.text)
        }
        return .done
    }

    /// Returns the source of a widget by the configuration; nil if the widget is not configured, or if its content is pushed.
    private static func source(
        of widget: WidgetID,
        _ options: ParsedOptions,
        environment: [String: String]
    ) -> SourceID? {
        options.partialConfiguration(environment).configuration.widgets.first { $0.id == widget }?.source?.id
    }

    /// Asks what became of an update at each destination; nil if the service delivery does not answer, or has no destinations.
    private static func deliveries(
        of update: Event<Update>,
        _ widget: WidgetID,
        _ session: BusSession
    ) -> [DestinationReport]? {
        let cycle = update.range.map { range in
            DeliveriesRequest.Cycle(
                sequence: range.sequence,
                result: update.data.result,
                reason: update.data.reason,
                changed: update.data.changed,
                displays: update.data.displays.keys.sorted()
            )
        }
        let request = DeliveriesRequest(widget: widget, cycle: cycle)
        let reports = try? session.ask(RequestTarget(.delivery), request).destinations
        return reports.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func last(of widget: WidgetID, _ session: BusSession) throws(CommandFailure) -> Event<Update> {
        let page = try session.ask(RequestTarget(.notifier), SnapshotRequest<Update>(widgets: [widget]))
        if let event = page.records.last { return event }
        throw KnownWidgets.missing(widget, "there is no update of a widget", session)
    }

    private static func cycle(
        _ sequence: SequenceNumber,
        of widget: WidgetID,
        last: Event<Update>,
        _ session: BusSession
    ) throws(CommandFailure) -> Event<Update> {
        let head = last.range?.sequence ?? .zero
        guard sequence <= head else {
            if record(Refreshed.self, sequence, of: widget, session) != nil {
                throw CommandFailure(
                    .no,
                    "cycle \(sequence.number) of '\(widget)' is committed, but has no verdict yet; the last verdict is that "
                        + "of cycle \(head.number)"
                )
            }
            throw CommandFailure(
                .no,
                "there is no cycle \(sequence.number) of '\(widget)' yet; the last is \(head.number)"
            )
        }
        let request = ReplayRequest<Update>(from: [widget: sequence])
        let first = try session.ask(RequestTarget(.notifier), request).records.first
        if let first, let range = first.range, range.sequence == sequence { return first }
        let oldest = first?.range.map { "; the oldest stored is \($0.sequence.number), the last \(head.number)" } ?? ""
        throw CommandFailure(
            .no,
            "cycle \(sequence.number) of '\(widget)' is no longer stored, or never existed\(oldest)"
        )
    }

    /// Requests the stored event of one cycle from the service that publishes events of the type `Payload`.
    ///
    /// Returns nil if the service has no event for exactly this cycle, or if the service does not answer.
    private static func record<Payload: EventPayload>(
        _ type: Payload.Type,
        _ sequence: SequenceNumber,
        of widget: WidgetID,
        _ session: BusSession
    ) -> Event<Payload>? {
        guard sequence > .zero else { return nil }
        let page = try? session.ask(RequestTarget(Payload.publisher), ReplayRequest<Payload>(from: [widget: sequence]))
        guard let record = page?.records.first, record.range?.sequence == sequence else { return nil }
        return record
    }
}
