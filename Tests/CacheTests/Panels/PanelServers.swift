// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import EventStreams
import Foundation
import PanelSupport
import ServiceEngine
import WebServer
import WidgetSchema

@testable import Cache
@testable import Gateway

/// The server of a simulated panel.
protocol PanelServer {
    /// Returns the answer to a panel's request at the board's time.
    func answer(_ method: String, _ url: String, _ headers: [WebHeader], _ board: PanelBoard) -> WebResponse
}

/// A server that serves a panel as other servers do: at an interval.
final class IntervalServer: PanelServer {
    enum Rule: String, CaseIterable {
        /// Each wake has a name of its own.
        case newNames = "interval, a new name each time"
        /// Equal bytes keep their name.
        case namesByBytes = "interval, a name by equal bytes"
        /// Also, a change that the server itself makes pulls the wake.
        case ownChanges = "interval, and its own widgets' changes"
    }

    private let rule: Rule
    /// The interval in seconds.
    private let interval: Int64
    private var told: (name: String, picture: Data)?

    init(_ rule: Rule, interval: Int64) {
        self.rule = rule
        self.interval = interval
    }

    func answer(_ method: String, _ url: String, _ headers: [WebHeader], _ board: PanelBoard) -> WebResponse {
        guard url.hasSuffix("/api/display") else {
            return WebResponse(headers: [WebHeader("Content-Type", "image/png")], body: told?.picture ?? Data())
        }
        let (picture, seconds) = (board.picture, board.now.milliseconds / 1_000)
        if rule == .newNames || told?.picture != picture { told = ("screen-abcdef-\(seconds)", picture) }
        // A picture stays in the flash as long as no other one is loaded.
        var sleep = interval
        if rule == .ownChanges, let change = board.certainChange {
            sleep = min(sleep, max(60, change.milliseconds(since: board.now) / 1_000 + 20))
        }
        let name = told?.name ?? ""
        let members = #""image_url":"http://server/\#(name).png","filename":"\#(name)","refresh_rate":\#(sleep)"#
        let text = #"{"status":0,\#(members)}"#
        return WebResponse(body: Data(text.utf8))
    }
}

/// The gateway's core of the panels, with the cache's plan and the requests for sources that are fetched when they are shown.
final class GatewayPanelServer: PanelServer {
    static let panel = "AA:BB:CC:DD:EE:FF"
    private let panels: PanelService
    private let board: BoardID
    private var shown = ShownRequests()

    init(_ panel: SleepingPanel, at now: Instant) {
        board = panel.board
        panels = PanelService(panels: [panel])
        _ = panels.answer(.request(PanelsRequest(action: .pair, minutes: 60)), at: now)
    }

    func answer(_ method: String, _ url: String, _ headers: [WebHeader], _ board: PanelBoard) -> WebResponse {
        let request = WebRequest(method: method, path: url, headers: headers)
        if url.contains("/api/image/") { return image(url, at: board.now) }
        guard let panelHeaders = PanelHeaders(request) else { return WebResponse(status: 400) }
        var picture = PanelPicture(png: SharedBytes(board.picture), kind: .screen, identity: self.board.rawValue)
        picture?.isCurrent = true
        let possible = board.widgets.compactMap { board.source(of: $0) }.map { source in
            PanelWake.PossibleChange(of: source, board.fetches, after: board.lastReported(of: source), at: board.now)
        }
        let changes = BoardChanges(certain: board.certainChange, possible: possible)
        guard
            case .display(let display) = panels.answer(
                .display(panelHeaders, picture: picture, changes: changes),
                at: board.now
            ), let body = try? WireJSON.encode(PanelDisplayDocument(display, panelHeaders, base: "http://server"))
        else { return WebResponse(status: 503) }
        tellCache(board)
        return WebResponse(body: body)
    }

    private func image(_ url: String, at now: Instant) -> WebResponse {
        let parts = url.split(separator: "/").suffix(2).map(String.init)
        let file = (parts.last ?? "").split(separator: ".")
        guard file.count == 3, let name = PictureName(rawValue: String(file[0])),
            case .picture(let digest?) = panels.answer(
                .download(key: parts[0], name: name, signature: String(file[1])),
                at: now
            ), let png = panels.picture(of: parts[0], digest)
        else { return WebResponse(status: 404) }
        return WebResponse(headers: [WebHeader("Content-Type", "image/png")], content: .shared(png))
    }

    /// Tells the cache when the panel wakes next.
    private func tellCache(_ board: PanelBoard) {
        guard let wakes = panels.changedWakes(at: board.now) else { return }
        shown.set(wakes.map { ExpectedWake(widgets: Set(board.widgets), earliest: $0.earliest) })
        func source(_ widget: WidgetID) -> SourceID? {
            board.isFetchedWhenShown(widget) ? board.source(of: widget) : nil
        }
        let requests = shown.due(at: board.now, source: source) { board.fetches.fetch(of: $0, at: board.now) }
        for request in requests {
            let step = board.perform(board.cache.feed(.shown(board.cache.requester(), request)))
            let answer = step.effects.compactMap { effect in
                if case .answerShown(_, let answer) = effect { answer } else { nil }
            }.last
            shown.take(answer, to: request, at: board.now, source: source)
        }
    }
}
