// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Locking
import Telemetry
import WebServer
import WidgetSchema

/// The pictures for panels: those of boards, and notices.
final class PanelPictures: Sendable {
    /// The requests to the boards and to the layout service.
    struct Sources: Sendable {
        /// Returns the current picture of a board, or its last good one; nil if it never had one.
        var board: @Sendable (BoardID) async -> BoardPicture?
        var draw: @Sendable (BoardRequest) async throws(Problem) -> (result: BoardAnswer, contents: [Data])
    }

    /// A picture of a board.
    struct BoardPicture: Sendable {
        var png: SharedBytes
        /// The time of the last visible change; nil if it is unknown.
        var lastChange: Instant?
        /// A Boolean value that indicates whether this is the board as it is now, and not an earlier picture.
        var isCurrent: Bool
    }

    /// The maximum time for a picture: the firmware waits 15 s for the whole answer.
    static let timeout: Duration = .seconds(8)
    /// The maximum number of notices that are drawn in a minute, because anyone may ask for one with any id.
    static let noticesPerMinute = 30
    /// The maximum number of notices that are kept.
    static let maximumNotices = 128

    private struct State {
        var notices: [PanelNotice: PanelPicture] = [:]
        var blanks: [PanelSize: SharedBytes] = [:]
        var minute: ContinuousClock.Instant?
        var drawn = 0
    }

    private let state = Lock(State())
    private let sources: Sources
    private let live: LiveConfiguration
    private let limit: Counter

    init(_ sources: Sources, live: LiveConfiguration, metrics: Metrics) {
        self.sources = sources
        self.live = live
        limit = metrics.limit("gateway.panelNotices")
    }

    /// Returns the picture of a board; nil if there is none within ``timeout``.
    func board(_ id: BoardID) async -> PanelPicture? {
        let task = Task { await sources.board(id) }
        guard let found = await task.value(within: Self.timeout) ?? nil else { return nil }
        var picture = PanelPicture(png: found.png, kind: .screen, identity: id.rawValue)
        picture?.lastChange = found.lastChange
        picture?.isCurrent = found.isCurrent
        return picture
    }

    // MARK: Notices

    /// Returns the notice for a panel, in a size that a board of the configuration or a model has.
    func notice(_ kind: PanelNotice.Kind, for panel: PanelID?, width: Int?, height: Int?) -> PanelNotice {
        let size = size(width: width, height: height)
        let configuration = live.configuration
        let taken = Set(configuration.panels.map(\.name.rawValue))
        let names = ["hall"] + (2...taken.count + 2).map { "hall-\($0)" }
        return PanelNotice(
            kind: kind,
            panel: panel,
            name: names.first { !taken.contains($0) } ?? names[0],
            board: configuration.boards.first?.id.rawValue,
            width: size.width,
            height: size.height
        )
    }

    /// Returns the size of a panel's picture in pixels; the default if the given one is that of no known panel.
    private func size(width: Int?, height: Int?) -> PanelSize {
        let usual = PanelNotice.defaultSize
        guard let width, let height else { return PanelSize(width: usual.width, height: usual.height, scale: 1) }
        func fits(_ known: (width: Int, height: Int)) -> Bool {
            [width, height] == [known.width, known.height] || [height, width] == [known.width, known.height]
        }
        let isKnown =
            PanelModel.all.contains { fits(($0.width, $0.height)) }
            || live.configuration.boards.contains { fits(($0.width, $0.height)) }
        return isKnown
            ? PanelSize(width: width, height: height, scale: 1)
            : PanelSize(width: usual.width, height: usual.height, scale: 1)
    }

    /// Returns the picture of a notice; a white one if it cannot be drawn.
    func picture(_ notice: PanelNotice) async -> PanelPicture? {
        if let known = state.withLock({ $0.notices[notice] }) { return known }
        guard mayDraw() else {
            limit.increment()
            var general = notice
            general.panel = nil
            return state.withLock { $0.notices[general] } ?? blank(notice)
        }
        guard let request = notice.request else { return blank(notice) }
        let sources = sources
        let task = Task { () -> Data? in
            do throws(Problem) {
                return try await sources.draw(request).contents.first
            } catch {
                return nil
            }
        }
        guard let png = await task.value(within: Self.timeout) ?? nil, let picture = picture(notice, SharedBytes(png))
        else { return blank(notice) }
        state.withLock { state in
            if state.notices.count >= Self.maximumNotices { state.notices = [:] }
            state.notices[notice] = picture
        }
        return picture
    }

    private func picture(_ notice: PanelNotice, _ png: SharedBytes) -> PanelPicture? {
        PanelPicture(png: png, kind: .notice, identity: notice.kind.rawValue)
    }

    /// Returns whether another notice may be drawn in this minute, and counts it.
    private func mayDraw(now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            if state.minute.map({ now - $0 >= .seconds(60) }) ?? true { (state.minute, state.drawn) = (now, 0) }
            guard state.drawn < Self.noticesPerMinute else { return false }
            state.drawn += 1
            return true
        }
    }

    private func blank(_ notice: PanelNotice) -> PanelPicture? {
        picture(notice, blank(width: notice.width, height: notice.height))
    }

    /// Returns a white picture in a size that a board of the configuration or a model has.
    func blank(width: Int?, height: Int?) -> SharedBytes {
        let size = size(width: width, height: height)
        return state.withLock { state in
            if let known = state.blanks[size] { return known }
            let blank = SharedBytes(BlankPicture.png(width: size.width, height: size.height))
            if state.blanks.count >= Self.maximumNotices { state.blanks = [:] }
            state.blanks[size] = blank
            return blank
        }
    }
}
