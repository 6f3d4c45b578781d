// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Foundation
import WebServer
import WidgetSchema

/// The routes that send commands to widgets.
struct CommandRoutes: Sendable {
    /// The default time, in seconds, for which the gateway waits for the verdict on the cycle of a command.
    static let defaultWaitSeconds = 10
    static let waitSeconds = 0...25

    let gateway: RouteContext

    static let responses = [
        Operation.Response(
            status: 200,
            summary: "The cycle with its verdict.",
            content: [("application/json", "CycleDocument")]
        ),
        Operation.Response(
            status: 202,
            summary: "The cycle was created, but its verdict did not come in time. The verdict follows as an event.",
            content: [("application/json", "CycleDocument")]
        ),
    ]

    private static let prefer = Operation.Parameter.header(
        "Prefer",
        .string(),
        "`wait=N`: wait N seconds for the verdict, 0 to \(waitSeconds.upperBound) (RFC 7240)."
    )

    var routes: [Route] {
        [
            Route(
                method: .post,
                path: "/v1/widgets/{widget}/performUpdate",
                scope: .act,
                operation: Operation(
                    id: "performUpdate",
                    summary: "Updates the widget. Simultaneous requests share one cycle.",
                    parameters: [Self.prefer],
                    responses: Self.responses
                ),
                handle: { call throws(Problem) in try send(call, .performUpdate, shared: true) }
            ),
            Route(
                method: .post,
                path: "/v1/widgets/{widget}/commands",
                scope: .act,
                operation: Operation(
                    id: "sendCommand",
                    summary: "Sends a command to the widget.",
                    parameters: [Self.prefer],
                    body: ("application/json", "Command"),
                    responses: Self.responses
                ),
                handle: { call throws(Problem) in try send(call, try command(call), shared: false) }
            ),
        ]
    }

    private func command(_ call: Call) throws(Problem) -> Command {
        do {
            return try WireJSON.decode(Command.self, from: call.request.body)
        } catch {
            let names = Command.Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badBody(
                "Expected {\"name\": NAME} with one of the names \(names); setExpanded also needs \"expanded\". "
                    + "\(error)"
            )
        }
    }

    private func send(_ call: Call, _ command: Command, shared: Bool) throws(Problem) -> WebAnswer {
        let widget = try call.widget()
        try gateway.require(widget)
        let wait = Self.wait(call)
        let send: CommandSequencer.Send = { client, counter throws(Problem) in
            let request = CommandRequest(client: client, counter: counter, widget: widget, command: command)
            return try await gateway.ask(.cache, request).result
        }
        return .async(call) { () throws(Problem) in
            let answer =
                shared
                ? try await gateway.commands.update(widget, settle: settle, send)
                : try await gateway.commands.command(widget, send)
            return try await respond(answer, wait: wait)
        }
    }

    /// Waits until the verdict of the cycle in `answer` has come, at most for `defaultWaitSeconds`.
    @Sendable private func settle(_ answer: CycleAnswer) async {
        let timeout = Duration.seconds(Self.defaultWaitSeconds)
        _ = await gateway.waiters.update(of: answer.widget, reaching: answer.sequence, within: timeout)
    }

    /// Returns the response to a command: status 200 with the verdict, or 202 if the verdict does not come within
    /// `wait`.
    ///
    /// If `wait` is nil, the method waits for at most `defaultWaitSeconds`.
    func respond(_ answer: CycleAnswer, wait: Duration?) async throws(Problem) -> WebResponse {
        let timeout = wait ?? .seconds(Self.defaultWaitSeconds)
        let update =
            timeout > .zero
            ? await gateway.waiters.update(of: answer.widget, reaching: answer.sequence, within: timeout) : nil
        var headers = [
            WebHeader(
                "Location",
                "\(gateway.access.basePath)/v1/widgets/\(answer.widget)/explain?sequence=\(answer.sequence.number)"
            )
        ]
        if let wait { headers.append(WebHeader("Preference-Applied", "wait=\(wait.components.seconds)")) }
        return try .json(CycleDocument(answer, update), status: update == nil ? 202 : 200, headers: headers)
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
