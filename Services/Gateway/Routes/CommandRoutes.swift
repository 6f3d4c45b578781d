// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import EventStreams
import Foundation
import WebServer
import WidgetSchema

/// The routes that send commands to widgets.
struct CommandRoutes: Sendable {
    /// The default time, in seconds, for which the gateway waits for the verdict on the cycle of a command.
    static let defaultWaitSeconds = 10
    static let waitSeconds = 0...25
    /// The minimum time for which the gateway waits for the cache's answer, even if the client prefers less.
    ///
    /// The cache answers commands that need no fetch within a few milliseconds, also those that it rejects.
    private static let minimumWait: Duration = .milliseconds(500)

    let gateway: GatewayParts

    private static let headers: [Operation.Header] = [.cacheControl, .location, .preferenceApplied]

    static let responses = [
        Operation.Response(
            status: 200,
            summary: "The cycle with its verdict.",
            content: [("application/json", "CycleDocument")],
            headers: headers
        ),
        Operation.Response(
            status: 202,
            summary:
                "The verdict did not come in time; it follows as an event. While the origin has not answered, the cycle "
                + "has no `sequence` yet.",
            content: [("application/json", "CycleDocument")],
            headers: headers
        ),
        .problem(422, "The body and the query name different displays."),
    ]

    private static let prefer = Operation.Parameter.header(
        "Prefer",
        .string(),
        "`wait=N`: wait N seconds for the verdict, 0 to \(waitSeconds.upperBound) (RFC 7240)."
    )

    private static let display = Operation.Parameter.query(
        "display",
        .string(pattern: WidgetRoutes.namePattern),
        "The display or device that the command is for; by default all displays."
    )

    var routes: [Route] {
        [
            Route(
                path: "/v1/widgets/{widget}/performUpdate",
                method: .post,
                scope: .act,
                id: "performUpdate",
                summary:
                    "Updates the widget. Simultaneous requests share one cycle. A `keyValue` widget shows its next "
                    + "value on `display`, or on all displays, but then not within `minimumInterval`.",
                parameters: [Self.display, Self.prefer],
                // A client may name the display in the body, as in a command.
                maximumBodyBytes: CommandRequest.maximumBytes,
                responses: Self.responses,
                handle: { call throws(Problem) in
                    try send(call, try CommandBody(call, fixed: .performUpdate))
                }
            ),
            Route(
                path: "/v1/widgets/{widget}/commands",
                method: .post,
                scope: .act,
                id: "sendCommand",
                summary: "Sends a command to the widget.",
                parameters: [Self.display, Self.prefer],
                body: ("application/json", "CommandBody"),
                responses: Self.responses,
                handle: { call throws(Problem) in try send(call, try CommandBody(call)) }
            ),
        ]
    }

    private func send(_ call: Call, _ body: CommandBody) throws(Problem) -> WebAnswer {
        let widget = try call.widget()
        try gateway.require(widget)
        let send: CommandSequencer.Send = { client, counter throws(Problem) in
            let request = CommandRequest(
                client: client,
                counter: counter,
                widget: widget,
                command: body.command,
                display: body.display
            )
            return try await gateway.ask(.cache, request, timeout: gateway.commandTimeout).result
        }
        let flight =
            switch body.command {
            case .performUpdate: gateway.commands.update(widget, on: body.display, settle: settle, send)
            case .refresh: gateway.commands.fetch(widget, send)
            case .setExpanded, .nextValue: gateway.commands.command(widget, send)
            }
        return .async(call) { () throws(Problem) in try await response(call, widget, flight) }
    }

    /// Waits until the verdict of the cycle in `answer` has come, at most for `defaultWaitSeconds`.
    @Sendable private func settle(_ answer: CycleAnswer) async {
        let timeout = Duration.seconds(Self.defaultWaitSeconds)
        _ = await gateway.waiters.update(of: answer.widget, reaching: answer.sequence, within: timeout)
    }

    /// Returns the response to a command or push that was sent: status 200 with the verdict, or 202 if the verdict does
    /// not come within the time that the request prefers.
    ///
    /// The time includes that of a fetch. After it, the command is carried out nevertheless. `note` is about the body of
    /// the request, for the client.
    func response(
        _ call: Call,
        _ widget: WidgetID,
        _ flight: CommandSequencer.Flight,
        note: String? = nil
    ) async throws(Problem) -> WebResponse {
        let preferred = Self.wait(call)
        let wait = preferred ?? .seconds(Self.defaultWaitSeconds)
        let applied = preferred.map { WebHeader("Preference-Applied", "wait=\($0.components.seconds)") }
        let deadline = ContinuousClock.now + wait
        let before = gateway.view[widget]?.range.sequence ?? .zero
        guard let result = await flight.value(within: max(wait, Self.minimumWait)) else {
            var document = try unanswered(widget, after: before)
            document.note = note
            return try response(document, next: before.next, applied)
        }
        let answer = try result.get()
        let left = deadline - .now
        let update =
            left > .zero ? await gateway.waiters.update(of: widget, reaching: answer.sequence, within: left) : nil
        var document = CycleDocument(answer, update)
        document.note = note
        return try response(document, next: answer.sequence, applied)
    }

    /// Returns the document about a command that the cache has not answered, normally because the origin is slow.
    ///
    /// Throws if the cache is silent: it may not have the command.
    private func unanswered(_ widget: WidgetID, after sequence: SequenceNumber) throws(Problem) -> CycleDocument {
        guard gateway.view.hasHeardCache(within: GatewayParts.requestTimeout) else {
            throw Problem(RequestError(.timedOut, "The cache is silent; it may not have got the command."))
        }
        return CycleDocument(widget, after: sequence)
    }

    private func response(
        _ document: CycleDocument,
        next sequence: SequenceNumber,
        _ applied: WebHeader?
    ) throws(Problem) -> WebResponse {
        let address = "\(gateway.access.basePath)/v1/widgets/\(document.widget)/explain?sequence=\(sequence.number)"
        let headers = [WebHeader("Location", address)] + (applied.map { [$0] } ?? [])
        return try .json(document, status: document.result == nil ? 202 : 200, headers: headers)
    }

    /// Returns the time in the header `Prefer: wait=N`; nil if the request has no such preference.
    ///
    /// A time above the maximum of `waitSeconds` is reduced to this maximum.
    static func wait(_ call: Call) -> Duration? {
        for preference in call.request.list("Prefer")?.split(separator: ",") ?? [] {
            let parts = preference.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].lowercased() == "wait", let seconds = Int(parts[1]), seconds >= 0 else {
                continue
            }
            return .seconds(min(seconds, waitSeconds.upperBound))
        }
        return nil
    }
}
