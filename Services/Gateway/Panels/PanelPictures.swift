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
        /// Returns the last good picture of a board without a request; nil if it never had one.
        var last: @Sendable (BoardID) -> BoardPicture?
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

    /// The maximum time for a picture; an answer waits for one picture, and the firmware waits 15 s for the answer.
    static let timeout: Duration = .seconds(8)
    /// The maximum number of notices with an id that are drawn in a minute, because anyone may ask for one with any id.
    ///
    /// General notices have a limit of their own, which is the same.
    static let noticesPerMinute = 30
    /// The maximum number of notices of each kind that are kept.
    static let maximumNotices = 128

    /// The notices with an id, or the general ones.
    private struct Notices {
        var pictures: [PanelNotice: PanelPicture] = [:]
        private var minute: ContinuousClock.Instant?
        private var drawn = 0

        /// Returns whether another notice may be drawn in this minute, and counts it.
        mutating func mayDraw(now: ContinuousClock.Instant) -> Bool {
            if minute.map({ now - $0 >= .seconds(60) }) ?? true { (minute, drawn) = (now, 0) }
            guard drawn < PanelPictures.noticesPerMinute else { return false }
            drawn += 1
            return true
        }

        mutating func keep(_ picture: PanelPicture, of notice: PanelNotice) {
            if pictures.count >= PanelPictures.maximumNotices { pictures = [:] }
            pictures[notice] = picture
        }
    }

    private struct State {
        var ofPanels = Notices()
        /// The notices without an id, which requests with many ids do not displace.
        var general = Notices()
        var blanks: [PanelSize: SharedBytes] = [:]

        /// The notices that one belongs to.
        subscript(notice: PanelNotice) -> Notices {
            get { notice.panel == nil ? general : ofPanels }
            set { if notice.panel == nil { general = newValue } else { ofPanels = newValue } }
        }
    }

    private let state = Lock(State())
    private let sources: Sources
    private let live: LiveConfiguration
    private let limit: Counter
    private let timeout: Duration

    init(_ sources: Sources, live: LiveConfiguration, metrics: Metrics, timeout: Duration = PanelPictures.timeout) {
        self.sources = sources
        self.live = live
        self.timeout = timeout
        limit = metrics.limit("gateway.panelNotices")
    }

    /// Returns the picture of a board, or its last good one if that takes longer than ``timeout``; nil if it never had one.
    func board(_ id: BoardID) async -> PanelPicture? {
        let task = Task { await sources.board(id) }
        guard let found = await task.value(within: timeout) ?? sources.last(id) else { return nil }
        var picture = PanelPicture(png: found.png, kind: .screen, identity: id.rawValue)
        picture?.lastChange = found.lastChange
        picture?.isCurrent = found.isCurrent
        return picture
    }

    // MARK: Notices

    /// Returns the notice for a panel, in a size that a board of the configuration or a model has.
    ///
    /// Notices that do not show the id are general.
    func notice(_ kind: PanelNotice.Kind, for panel: PanelID?, width: Int?, height: Int?) -> PanelNotice {
        let size = size(width: width, height: height)
        let configuration = live.configuration
        let taken = Set(configuration.panels.map(\.name.rawValue))
        let names = ["hall"] + (2...taken.count + 2).map { "hall-\($0)" }
        return PanelNotice(
            kind: kind,
            panel: kind.showsID ? panel : nil,
            name: names.first { !taken.contains($0) } ?? names[0],
            board: configuration.boards.first?.id.rawValue,
            width: size.width,
            height: size.height
        )
    }

    /// Returns the size in pixels of the pictures that a panel of the configuration shows; nil for other panels.
    func size(of panel: PanelID) -> (width: Int, height: Int)? {
        live.configuration.panels.first { $0.id == panel }.flatMap { live.board($0.board) }?.pictureSize
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

    /// Returns the picture of a notice; the general one if too many are drawn, and a white one if it cannot be drawn.
    ///
    /// Notices of panels with a key, of which there are few, are not limited.
    func picture(_ notice: PanelNotice, hasKey: Bool = false) async -> PanelPicture? {
        if let known = state.withLock({ $0[notice].pictures[notice] }) { return known }
        if !hasKey, !state.withLock({ $0[notice].mayDraw(now: .now) }) {
            limit.increment()
            guard notice.panel != nil else { return blank(notice) }
            var general = notice
            general.panel = nil
            return await self.picture(general)
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
        guard let png = await task.value(within: timeout) ?? nil, let picture = picture(notice, SharedBytes(png))
        else { return blank(notice) }
        state.withLock { $0[notice].keep(picture, of: notice) }
        return picture
    }

    private func picture(_ notice: PanelNotice, _ png: SharedBytes) -> PanelPicture? {
        PanelPicture(png: png, kind: .notice, identity: notice.kind.rawValue)
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
