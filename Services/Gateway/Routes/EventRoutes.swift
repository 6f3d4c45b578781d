// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import WebServer
import WidgetSchema

/// The route for server-sent events.
struct EventRoutes: Sendable {
    /// The maximum number of widgets, and of displays, in the filter of one request.
    static let maximumWidgets = 1000
    /// The maximum number of characters of an invalid event id that is sent back to the client.
    ///
    /// If a client resumes with an invalid event id, the first event of the answer contains this id. A longer id is cut
    /// off at this length.
    static let maximumIDLength = 100

    let gateway: GatewayParts

    var routes: [Route] {
        [
            Route(
                path: "/v1/events",
                id: "streamEvents",
                summary:
                    "The updates as server-sent events. Each is sent once, and the updates of a widget are in "
                    + "order.",
                parameters: [
                    .query("widget", .list(pattern: WidgetRoutes.namePattern), "Only these widgets."),
                    .query("result", .list(pattern: "^(newData|noData|failed)$"), "Only these results."),
                    .query("display", .list(pattern: WidgetRoutes.namePattern), "Only changes of these displays."),
                    .query(
                        "board",
                        .list(pattern: WidgetRoutes.namePattern),
                        "Only updates after which one of these boards looks different. After a long interruption, further "
                            + "updates of their widgets may come, too."
                    ),
                    .query("since", .string(), "Resume after this id. The header `Last-Event-ID` takes precedence."),
                    .query("snapshot", .choice(["0", "1", "false", "true"]), "Begin with the state of each widget."),
                    .header("Last-Event-ID", .string(), "Resume after this id."),
                ],
                responses: [
                    .ok("The stream: `start` first, then `update`.", "text/event-stream", schema: "UpdateEvent"),
                    .problem(404, "A widget, display or board of the filters does not exist."),
                ],
                handle: stream
            )
        ]
    }

    @Sendable private func stream(_ call: Call) throws(Problem) -> WebAnswer {
        guard gateway.view.isReady else { throw .starting("connect again") }
        var readerRequest = EventHub.ReaderRequest()
        readerRequest.filter = try filter(call)
        readerRequest.wantsSnapshot = try call.flag("snapshot") ?? false
        readerRequest.since = since(call)
        try requireKnown(readerRequest)
        let headers = [
            WebHeader("Content-Type", "text/event-stream"), WebHeader("Cache-Control", "no-cache, no-transform"),
            WebHeader("X-Accel-Buffering", "no"),
        ]
        guard !call.isHead else { return .now(WebResponse(headers: headers)) }
        guard let stream = gateway.hub.open(readerRequest) else {
            throw Problem(
                503,
                "too-many-streams",
                "There are too many event streams.",
                "Close another stream, or connect again later.",
                headers: [WebHeader("Retry-After", "10")]
            )
        }
        return .now(WebResponse(headers: headers, content: .stream(stream)))
    }

    private func filter(_ call: Call) throws(Problem) -> EventFilter {
        EventFilter(
            widgets: try identifiers(call, "widget"),
            results: try results(call),
            displays: try identifiers(call, "display"),
            boards: try identifiers(call, "board")
        )
    }

    /// Throws if a filter names a widget, a display or a board that does not exist.
    ///
    /// Does not throw if the reader resumes: a widget may have been removed meanwhile, and the reader gets its removal.
    private func requireKnown(_ readerRequest: EventHub.ReaderRequest) throws(Problem) {
        if case .position = readerRequest.since { return }
        let (view, live) = (gateway.view, gateway.live)
        let filter = readerRequest.filter
        if let widget = filter.widgets?.sorted().first(where: { view[$0] == nil && live.widget($0) == nil }) {
            throw .notFound("There is no widget '\(widget)'; \(gateway.access.basePath)/v1/widgets lists all widgets.")
        }
        if let board = filter.boards?.sorted().first(where: { live.board($0) == nil }) { throw .noBoard(board, live) }
        let displays = live.configuration.displays.map(\.name)
        let unknown = filter.displays?.sorted().first { display in
            !displays.contains(display)
                && view.page(after: nil, limit: 1, where: { $0.event.data.displays[display] != nil }).0.isEmpty
        }
        if let unknown {
            let known = displays.map(\.rawValue).joined(separator: ", ")
            throw .notFound("There is no display '\(unknown)'; there are \(known).")
        }
    }

    private func identifiers<ID: ValidatedString>(_ call: Call, _ name: String) throws(Problem) -> Set<ID>? {
        let texts = call.values(name)
        guard call.request.query(name) != nil else { return nil }
        guard !texts.isEmpty, texts.count <= Self.maximumWidgets else {
            throw .badParameter(
                name,
                "the parameter must contain 1 to \(Self.maximumWidgets) names, separated by commas."
            )
        }
        var found: Set<ID> = []
        for text in texts {
            guard let id = ID(rawValue: text) else { throw .badParameter(name, "'\(text.prefix(80))': \(ID.rule).") }
            found.insert(id)
        }
        return found
    }

    private func results(_ call: Call) throws(Problem) -> Set<UpdateResult>? {
        guard call.request.query("result") != nil else { return nil }
        var found: Set<UpdateResult> = []
        for text in call.values("result") {
            guard let result = UpdateResult(rawValue: text) else {
                let known = UpdateResult.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badParameter("result", "'\(text.prefix(40))' is not one of \(known).")
            }
            found.insert(result)
        }
        guard !found.isEmpty else {
            throw .badParameter("result", "specify at least one result: newData, noData or failed.")
        }
        return found
    }

    /// Returns the position from which the reader resumes; nil if the request contains no event id.
    ///
    /// The event id is the value of the header `Last-Event-ID` or, if there is no such header, of the query parameter
    /// `since`. For an invalid id, the method returns `Resume.unknown`. It does not throw, because a browser does not
    /// reconnect after an error.
    private func since(_ call: Call) -> EventHub.ReaderRequest.Resume? {
        guard let text = call.request.header("Last-Event-ID") ?? call.request.query("since"), !text.isEmpty else {
            return nil
        }
        return StreamOffset(text).map { .position($0) } ?? .unknown(String(text.prefix(Self.maximumIDLength)))
    }
}
