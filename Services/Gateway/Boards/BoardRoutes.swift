// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import EventStreams
import Foundation
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// The routes that serve boards: their pictures at the short URL `/boards/kitchen.png`, and their list.
struct BoardRoutes: Sendable {
    let gateway: GatewayParts
    private let renderer: BoardRenderer

    init(gateway: GatewayParts) {
        self.init(
            gateway: gateway,
            layouts: BoardRenderer.Layouts(
                layout: { request throws(Problem) in
                    try await gateway.ask(
                        .layout,
                        instance: gateway.view.layoutInstance,
                        request,
                        timeout: GatewayParts.renderTimeout
                    ).result
                },
                paint: { request throws(Problem) in
                    try await gateway.ask(
                        .layout,
                        instance: gateway.view.layoutInstance,
                        request,
                        timeout: GatewayParts.renderTimeout
                    )
                }
            )
        )
    }

    /// Creates the routes; `layouts` requests layouts and pictures.
    init(gateway: GatewayParts, layouts: BoardRenderer.Layouts) {
        self.gateway = gateway
        renderer = BoardRenderer(gateway: gateway, layouts: layouts)
    }

    /// The headers of a board, also if the client already has the picture.
    private static let headers: [Operation.Header] = [
        .cacheControl, .entityTag, .lastModified, .nextChange, .nextCertainChange, .sleep,
    ]

    var routes: [Route] {
        [
            Route(
                path: "/boards/{file}",
                id: "getBoard",
                summary: "A board: a picture (`.png`, `.svg`), or what it shows (`.json`).",
                parameters: [
                    .query(
                        "panel",
                        .string(pattern: "[a-z0-9][a-z0-9-]{0,62}"),
                        "The name of the panel that asks; the answer then has its sleep in seconds, in Tidings-Sleep."
                    ),
                    .header("If-None-Match", .string(), "The ETag of the picture that the client has."),
                    .header("If-Modified-Since", .string(), "The Last-Modified of the picture that the client has."),
                ],
                responses: [
                    Operation.Response(
                        status: 200,
                        summary: "The board.",
                        content: [("image/png", nil), ("image/svg+xml", nil), ("application/json", "BoardDocument")],
                        headers: Self.headers
                    ),
                    Operation.Response(
                        status: 304,
                        summary: "The client already has the picture.",
                        headers: Self.headers
                    ),
                    .problem(404, "There is no such board."),
                    .problem(503, "The board has no picture yet."),
                ],
                handle: board
            ),
            Route(
                path: "/v1/boards",
                id: "listBoards",
                summary: "The boards of the configuration, each with the digest of what it shows.",
                responses: [.ok("The boards.", schema: "BoardList")],
                handle: { call throws(Problem) in
                    .async(call) { () throws(Problem) in try .json(BoardList(boards: list(now: .now))) }
                }
            ),
        ]
    }

    // MARK: The list

    private func list(now: Instant) -> [BoardDocument] {
        gateway.configuration.boards.map { board in
            let current = gateway.view.board(board.id)
            let state = current?.state
            let isComplete = state?.revision == board.revision
            // Until a new configuration has reached all widgets, the picture is the last one.
            let drawn =
                isComplete || !board.hasWidgets ? nil : renderer.last(board.id, .png)?.drawn
            var document = BoardDocument(drawn?.board ?? board, nil, basePath: gateway.access.basePath)
            document.isCurrent = isComplete && current?.isCurrent == true
            document.digest = isComplete ? state?.digest : drawn?.digest
            document.lastChange = isComplete ? state?.lastChange : drawn?.lastChange
            let changes = changes(state, now: now)
            (document.nextChange, document.nextCertainChange) = (changes.earliest, changes.certain)
            return document
        }
    }

    /// Returns the next changes of a board.
    private func changes(_ state: BoardState?, now: Instant) -> NextChanges {
        guard let state else { return NextChanges(certain: nil, attempt: nil) }
        let certain = state.nextCertainChange.map { AnnouncedFetches.notPast($0, at: now) }
        let attempts = Set(state.cells.map(\.widget)).compactMap { widget in
            gateway.view[widget].flatMap { gateway.nextAttempt($0, now: now) }
        }
        return NextChanges(certain: certain, attempt: attempts.min())
    }

    // MARK: Panels

    /// Returns the current picture of a board, or its last good one; nil if it never had one.
    func png(of id: BoardID) async -> PanelPictures.BoardPicture? {
        if let order = order(id) {
            let isCurrent = gateway.view.board(id)?.isCurrent == true
            if let drawn = renderer.known(order), let painted = renderer.painted(drawn, .png) {
                return Self.picture(drawn, painted, isCurrent: isCurrent)
            }
            do throws(Problem) {
                let collected = try await renderer.collected(order) { self.order(id) }
                let painted = try await renderer.picture(collected, .png)
                return Self.picture(collected.drawn, painted, isCurrent: isCurrent)
            } catch {
                gateway.log.debug("A board cannot be drawn for a panel.", [.reason: error.detail])
            }
        }
        return lastPNG(of: id)
    }

    /// Returns the last good picture of a board; nil if it never had one, or if none of its widgets exists any more.
    func lastPNG(of id: BoardID) -> PanelPictures.BoardPicture? {
        if let board = gateway.live.board(id), !board.hasWidgets { return nil }
        return renderer.last(id, .png).map { Self.picture($0.drawn, $0.picture, isCurrent: false) }
    }

    private static func picture(
        _ drawn: DrawnBoard,
        _ picture: Picture,
        isCurrent: Bool
    ) -> PanelPictures.BoardPicture {
        PanelPictures.BoardPicture(png: picture.body, lastChange: drawn.lastChange, isCurrent: isCurrent)
    }

    /// Returns the changes of a board by which a panel's next wake is chosen.
    func changesForPanel(of id: BoardID, now: Instant = .now) -> BoardChanges {
        guard let state = gateway.view.board(id)?.state else { return BoardChanges() }
        let widgets = Set(state.cells.map(\.widget))
        return BoardChanges(
            certain: state.nextCertainChange,
            possible: gateway.possibleChanges(of: widgets, now: now)
        )
    }

    /// Draws a board that is not in the configuration.
    func paint(_ request: BoardRequest) async throws(Problem) -> (result: BoardAnswer, contents: [Data]) {
        try await renderer.layouts.paint(request)
    }

    /// Returns the panel that the query names; nil without such a query.
    private func sleeper(_ call: Call, _ board: BoardID) throws(Problem) -> SleepingPanel? {
        guard let text = call.request.query("panel") else { return nil }
        // A panel with an id has its own protocol, so another client must not count as its wake.
        let panels = gateway.configuration.panels.filter { $0.id == nil }
        guard let panel = panels.first(where: { $0.name.rawValue == text }), panel.board == board else {
            let known = panels.filter { $0.board == board }.prefix(50).map(\.name.rawValue).joined(separator: ", ")
            throw .notFound(
                "The configuration has no panel '\(text.prefix(80))' without an id and with the board '\(board)'"
                    + (known.isEmpty ? "; add it under 'panels'." : "; there are \(known).")
            )
        }
        return panel
    }

    /// Returns the header with the sleep of a panel; its interval if the panels do not answer.
    private func sleepHeader(_ panel: SleepingPanel, _ changes: BoardChanges) -> WebHeader {
        var seconds = panel.interval.wholeMilliseconds / 1_000
        if case .sleep(let told) = gateway.panels.answer(.wake(panel.name, changes: changes)) { seconds = told }
        return WebHeader(Self.sleepHeaderName, "\(seconds)")
    }

    /// The header with the seconds until a panel should ask again.
    static let sleepHeaderName = Operation.Header.sleep.rawValue

    // MARK: One board

    /// A request for a board in a format.
    private struct PictureRequest {
        let call: Call
        var board: Board
        let format: RenderFormat
        /// The panel that asks, and the changes of its board before the picture was drawn.
        var sleeper: (panel: SleepingPanel, changes: BoardChanges)?
    }

    @Sendable private func board(_ call: Call) throws(Problem) -> WebAnswer {
        let (id, format): (BoardID, RenderFormat) = try call.file("BOARD", of: "a board's picture")
        guard let board = gateway.live.board(id) else { throw .noBoard(id, gateway.live) }
        let request = PictureRequest(call: call, board: board, format: format)
        if let panel = try sleeper(call, id) {
            return .async(call) { () throws(Problem) in
                var request = request
                // Only a picture that is loaded is a wake.
                if format == .png, !call.isHead { request.sleeper = (panel, changesForPanel(of: id)) }
                return try await respond(request)
            }
        }
        if let order = order(id), let drawn = renderer.known(order),
            let response = response(request, drawn, of: order.state)
        {
            return .now(response)
        }
        return .async(call) { () throws(Problem) in try await respond(request) }
    }

    /// Returns the response with the current picture, or with the last good one.
    private func respond(_ request: PictureRequest) async throws(Problem) -> WebResponse {
        let id = request.board.id
        guard let order = order(id) else { return try last(request, because: nil) }
        if let drawn = renderer.known(order), let response = response(request, drawn, of: order.state) {
            return response
        }
        do throws(Problem) {
            let collected = try await renderer.collected(order) { self.order(id) }
            let (drawn, state) = (collected.drawn, collected.order.state)
            var request = request
            request.board = collected.order.board
            if let response = response(request, drawn, of: state) { return response }
            let picture = try await renderer.picture(collected, request.format)
            return try response(request, drawn, of: state, picture)
        } catch {
            return try last(request, because: error)
        }
    }

    /// Returns the order of a board's last complete state; nil if it has none in the revision of the configuration.
    private func order(_ id: BoardID) -> BoardRenderer.Order? {
        guard let board = gateway.live.board(id), let (state, _) = gateway.view.board(id),
            state.revision == board.revision
        else { return nil }
        return BoardRenderer.Order(board: board, state: state, engine: gateway.view.layoutEngine)
    }

    /// Returns the response with the last good picture; throws if there is none.
    ///
    /// `problem` is the reason why the latest state cannot be drawn; nil if there is no complete one.
    private func last(_ request: PictureRequest, because problem: Problem?) throws(Problem) -> WebResponse {
        let board = request.board
        let isPicture = request.format != .layout
        // The last picture would show widgets that no longer exist.
        guard board.hasWidgets else {
            throw Problem(
                503,
                "board-without-widgets",
                "The board has no picture.",
                "None of the widgets of board '\(board.id)' exists; `tidings check` lists them."
            )
        }
        if let (drawn, picture) = renderer.last(board.id, isPicture ? request.format : .png) {
            return try response(request, drawn, of: nil, isPicture ? picture : nil)
        }
        if let problem { throw problem }
        throw Problem(
            503,
            "board-incomplete",
            "The board has no picture yet.",
            "Not all widgets of board '\(board.id)' have had an update since its configuration changed; repeat the request "
                + "in a second.",
            headers: [WebHeader("Retry-After", "1")]
        )
    }

    /// Returns the response if it needs no painting.
    private func response(_ request: PictureRequest, _ drawn: DrawnBoard, of state: BoardState) -> WebResponse? {
        let (call, format) = (request.call, request.format)
        if format == .layout { return try? response(request, drawn, of: state, nil) }
        if let picture = renderer.painted(drawn, format) { return try? response(request, drawn, of: state, picture) }
        let isEnough = call.isHead || validators(drawn, format)?.areCurrent(for: call.request) == true
        guard isEnough else { return nil }
        return try? response(request, drawn, of: state, nil)
    }

    /// Returns the validators of a picture; nil for the JSON document, which also tells what will change.
    private func validators(_ drawn: DrawnBoard, _ format: RenderFormat) -> WebValidators? {
        guard format != .layout else { return nil }
        // HTTP allows no time in the future (RFC 9110 §8.8.2.1).
        let now = Instant.now.milliseconds / 1_000
        return drawn.key(format).map {
            WebValidators(entityTag: $0.entityTag, lastModified: drawn.lastModified.map { min($0, now) })
        }
    }

    /// Returns the response with a picture, or with its headers alone if `picture` is nil and a picture was requested.
    ///
    /// `state` is the state that was drawn; nil for the last good picture of a board that cannot be drawn.
    private func response(
        _ request: PictureRequest,
        _ drawn: DrawnBoard,
        of state: BoardState?,
        _ picture: Picture?
    ) throws(Problem) -> WebResponse {
        let (call, format) = (request.call, request.format)
        let current = gateway.view.board(drawn.board.id)
        let changes = changes(state ?? current?.state, now: .now)
        let validators = validators(drawn, format)
        var headers = validators?.headers ?? []
        headers.append(WebHeader("Cache-Control", "no-cache"))
        headers += changes.headers
        headers.append(WebHeader("Content-Type", format.mediaType))
        let isCurrentState = state != nil && current?.isCurrent == true
        if let (panel, changes) = request.sleeper {
            headers.append(sleepHeader(panel, isCurrentState ? changes : BoardChanges()))
        }
        let isCurrent = validators?.areCurrent(for: call.request) == true
        var content = picture.map { WebResponse.Content.shared($0.body) } ?? .omitted
        if format == .layout {
            var document = BoardDocument(drawn.board, drawn, basePath: gateway.access.basePath)
            document.isCurrent = isCurrentState
            (document.nextChange, document.nextCertainChange) = (changes.earliest, changes.certain)
            do throws(WireError) {
                content = .shared(SharedBytes(try WireJSON.encode(document)))
            } catch {
                throw Problem(500, "cannot-encode", "The answer cannot be written.", "\(error)")
            }
        }
        return WebResponse(status: isCurrent ? 304 : 200, headers: headers, content: content)
    }
}

extension Problem {
    /// Returns the problem for a board that the configuration does not have.
    static func noBoard(_ id: BoardID, _ live: LiveConfiguration) -> Problem {
        let known = live.configuration.boards.prefix(50).map(\.id.rawValue)
        return .notFound(
            known.isEmpty
                ? "There is no board '\(id)'; the configuration has no boards."
                : "There is no board '\(id)'; there are \(known.joined(separator: ", "))."
        )
    }
}
