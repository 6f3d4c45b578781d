// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Dispatch
import EventStreams
import Foundation
import Locking
import Telemetry
import WebServer
import WidgetSchema

/// The renderer of boards: it collects the layouts of the cells of one revision, and has the layout service paint them.
///
/// One change of a board costs the layout of one cell and one drawing, whoever requests the picture. A board that is not
/// complete, or whose layouts cannot be obtained, keeps its last picture.
final class BoardRenderer: Sendable {
    /// The number of times that a board is started again because a cell changed while its layouts were collected.
    static let maximumAttempts = 5

    /// The state of a board that is to be drawn.
    struct Order: Sendable {
        let board: Board
        let state: BoardState
        /// The current layout engine; nil if no instance of the layout service is live.
        let engine: LayoutInstances.Engine?
    }

    /// The layouts of all cells of an order, and what a picture of them shows.
    struct Collected: Sendable {
        let order: Order
        let drawn: DrawnBoard
        let cellLayouts: [CellLayout]
    }

    private struct Known {
        /// The text of the state for which ``drawn`` was found.
        var visible: String
        var engine: LayoutInstances.Engine?
        var drawn: DrawnBoard
        /// A Boolean value that indicates whether all layouts are used while ``engine`` is the current one.
        var isAccepted: Bool
    }

    private struct Last {
        let drawn: DrawnBoard
        let picture: Picture
        var isStored = false
        /// A Boolean value that indicates whether the picture could not be stored, which was logged.
        var hasFailed = false
    }

    private typealias Flight = Task<Result<Collected, Problem>, Never>

    private struct State {
        var known: [BoardID: Known] = [:]
        var flights: [BoardID: (visible: String, flight: Flight)] = [:]
        /// The last good picture of each board and format, by the name of its file.
        var last: [String: Last] = [:]
        /// The names of the files that are about to be written.
        var waiting: Set<String> = []
    }

    private let state = Lock(State())
    private let cellLayouts = CellLayouts()
    private let live: LiveConfiguration
    private let pictures: PictureCache
    private let store: BoardPictureStore
    private let panels: PanelService
    let layouts: Layouts
    private let log: Logger
    private let layoutsRequested: Counter
    private let paintings: Counter
    private let restarted: Counter
    private let unstored: Counter

    init(gateway: GatewayParts, layouts: Layouts) {
        (live, panels) = (gateway.live, gateway.panels)
        (pictures, store, log) = (gateway.pictures, gateway.boardPictures, gateway.log)
        self.layouts = layouts
        let metrics = gateway.metrics
        layoutsRequested = metrics.counter("gateway.boardLayouts")
        paintings = metrics.counter("gateway.boardPictures")
        restarted = metrics.counter("gateway.boardsRestarted")
        unstored = metrics.counter("gateway.boardsNotStored")
        // Panels show these pictures until the boards are drawn again, which can take a day.
        for id in Set(live.configuration.panels.map(\.board)) {
            guard let (drawn, picture) = store.picture(of: id, .png),
                live.board(id)?.revision == drawn.board.revision
            else { continue }
            note(picture.reducedPalette, of: drawn.board)
        }
        live.onReplace { [weak self] in self?.forgetRemovedBoards() }
        forgetRemovedBoards()
    }

    /// Forgets the boards that the configuration no longer has, so that a later one of the same name does not get their pictures.
    private func forgetRemovedBoards() {
        let configured = Set(live.configuration.boards.map(\.id))
        state.withLock { state in
            state.known = state.known.filter { configured.contains($0.key) }
            state.last = state.last.filter { configured.contains($0.value.drawn.board.id) }
        }
        store.removePictures(except: configured)
    }

    /// Returns what a picture of an order shows; nil if layouts must be requested to know it.
    func known(_ order: Order) -> DrawnBoard? {
        let visible = order.state.visibleText
        return state.withLock { state in
            guard let known = state.known[order.board.id], known.visible == visible, known.isAccepted,
                known.engine == order.engine || order.engine == nil
            else { return nil }
            return known.drawn
        }
    }

    /// Returns what was drawn last of a board by this gateway or, after a restart, what is stored; nil if there is nothing.
    func last(_ board: BoardID, _ format: RenderFormat) -> (drawn: DrawnBoard, picture: Picture)? {
        let file = Self.file(board, format)
        if let known = state.withLock({ $0.last[file] }) { return (known.drawn, known.picture) }
        guard let (drawn, picture) = store.picture(of: board, format) else { return nil }
        state.withLock { state in
            // Meanwhile, the board may have been drawn, or removed from the configuration.
            guard state.last[file] == nil, live.board(board) != nil else { return }
            state.last[file] = Last(drawn: drawn, picture: picture, isStored: true)
        }
        return (drawn, picture)
    }

    private static func file(_ board: BoardID, _ format: RenderFormat) -> String { "\(board).\(format.rawValue)" }

    /// Returns the layouts of a board; requests those that are not known.
    ///
    /// `latest` returns the latest order of the board, or nil if it is no longer complete; the result may be of this order.
    /// Simultaneous calls share the requests.
    func collected(
        _ order: Order,
        latest: @escaping @Sendable () -> Order?
    ) async throws(Problem) -> Collected {
        let (id, visible) = (order.board.id, order.state.visibleText)
        let flight = state.withLock { state in
            if let running = state.flights[id], running.visible == visible { return running.flight }
            let flight = Flight {
                let result: Result<Collected, Problem>
                do throws(Problem) {
                    result = .success(try await self.collect(order, latest: latest))
                } catch {
                    result = .failure(error)
                }
                self.state.withLock { state in
                    if state.flights[id]?.visible == visible { state.flights[id] = nil }
                }
                return result
            }
            state.flights[id] = (visible, flight)
            return flight
        }
        return try await flight.value.get()
    }

    /// Collects the layouts of an order, or of a later one if a cell has changed meanwhile.
    private func collect(_ first: Order, latest: @Sendable () -> Order?) async throws(Problem) -> Collected {
        var order = first
        for _ in 0..<Self.maximumAttempts {
            if let cellLayouts = try await collectLayouts(of: order) {
                return Collected(order: order, drawn: remember(cellLayouts, for: order), cellLayouts: cellLayouts)
            }
            restarted.increment()
            guard let next = latest() else { break }
            order = next
        }
        throw Problem(
            503,
            "board-changing",
            "The board is changing.",
            "The cells of board '\(order.board.id)' change faster than they are drawn; repeat the request in a second.",
            headers: [WebHeader("Retry-After", "1")]
        )
    }

    /// Returns the layouts of all cells of an order; nil if a cell was answered with another cycle than that of the order.
    private func collectLayouts(of order: Order) async throws(Problem) -> [CellLayout]? {
        typealias Request = Task<Result<CellLayout?, Problem>, Never>
        var requests: [(known: CellLayout?, task: Request?)] = []
        for cell in order.state.cells {
            let known = cellLayouts.layout(of: cell, engine: order.engine)
            requests.append((known, known == nil ? Request { await self.request(cell) } : nil))
        }
        var found: [CellLayout] = []
        for (known, task) in requests {
            if let known {
                found.append(known)
            } else if let task, let cellLayout = try await task.value.get() {
                found.append(cellLayout)
            }
        }
        return found.count == requests.count ? found : nil
    }

    /// Requests the layout of a cell; the result is nil if the answer is of another cycle.
    private func request(_ cell: BoardState.Cell) async -> Result<CellLayout?, Problem> {
        layoutsRequested.increment()
        do throws(Problem) {
            let request = RenderRequest(widget: cell.widget, display: cell.display, sequence: cell.sequence)
            let answer = try await layouts.layout(request)
            guard answer.sequence == cell.sequence, let layout = answer.layout else { return .success(nil) }
            let cellLayout = CellLayout(
                layout: layout,
                digest: answer.digest,
                sequence: answer.sequence,
                engine: answer.engine,
                announcedDigest: cell.digest,
                bytes: (try? WireJSON.encode(layout).count) ?? 0
            )
            cellLayouts.keep(cellLayout, of: cell.display)
            return .success(cellLayout)
        } catch {
            return .failure(error)
        }
    }

    /// Remembers what a picture of an order shows.
    private func remember(_ cellLayouts: [CellLayout], for order: Order) -> DrawnBoard {
        let id = order.board.id
        var drawn = DrawnBoard(
            board: order.board,
            cells: zip(order.state.cells, cellLayouts).map { cell, cellLayout in
                DrawnBoard.Cell(
                    cell: cell.place.cell,
                    widget: cell.widget,
                    display: cell.display,
                    sequence: cellLayout.sequence,
                    digest: cellLayout.digest
                )
            },
            lastChange: order.state.lastChange,
            hasHeader: order.state.hasHeader,
            engines: Set(cellLayouts.map(\.engineText)).sorted()
        )
        let earlier = state.withLock { $0.known[id]?.drawn } ?? store.picture(of: id, .png)?.drawn
        drawn.lastModified = Self.lastModified(drawn, after: earlier)
        // During an upgrade, an instance of the older engine may have answered: its layouts are requested again. What was
        // drawn is remembered all the same, because the time of the next modification must be later.
        let known = Known(
            visible: order.state.visibleText,
            engine: order.engine,
            drawn: drawn,
            isAccepted: cellLayouts.allSatisfy { $0.isAccepted(by: order.engine) }
        )
        state.withLock { $0.known[id] = known }
        return drawn
    }

    /// Returns the time of a picture's last modification, which is later than that of another picture before it.
    private static func lastModified(_ drawn: DrawnBoard, after earlier: DrawnBoard?) -> Int64? {
        let changed = drawn.lastChange.map { $0.milliseconds / 1_000 }
        guard let earlier, let before = earlier.lastModified else { return changed }
        if earlier.key(.png) == drawn.key(.png) { return before }
        return max(changed ?? 0, before + 1)
    }

    // MARK: Pictures

    /// Returns the picture of what is known to be drawn; nil if it must be painted.
    func painted(_ drawn: DrawnBoard, _ format: RenderFormat) -> Picture? {
        guard let picture = drawn.key(format).flatMap({ pictures[$0] }) else { return nil }
        keep(drawn, picture)
        return picture
    }

    /// Returns the picture of a board; paints it if it is not stored.
    func picture(_ collected: Collected, _ format: RenderFormat) async throws(Problem) -> Picture {
        guard let key = collected.drawn.key(format) else {
            throw Problem(500, "cannot-encode", "The answer cannot be written.", "The board has no digest.")
        }
        do {
            let picture = try await pictures.picture(key) { try await self.paint(collected, format, key) }
            keep(collected.drawn, picture)
            return picture
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(503, "stopping", "The gateway stops.", "Repeat the request in a second.")
        }
    }

    private func paint(_ collected: Collected, _ format: RenderFormat, _ key: PictureKey) async throws(Problem)
        -> Picture
    {
        let (order, drawn) = (collected.order, collected.drawn)
        let cells = zip(drawn.cells, collected.cellLayouts).map { BoardRequest.Cell(cell: $0.cell, layout: $1.layout) }
        var request = BoardRequest(
            board: order.board,
            cells: cells,
            lastChange: drawn.hasHeader ? drawn.lastChange : nil,
            format: format
        )
        let size = (try? WireJSON.encode(request).count) ?? .max
        guard size <= BoardRequest.maximumBytes else {
            throw Problem(
                500,
                "board-too-large",
                "The board is too large.",
                "The layouts of board '\(drawn.board.id)' have \(size) bytes; at most \(BoardRequest.maximumBytes) can be drawn. "
                    + "Remove cells."
            )
        }
        var bytes = try await layouts.picture(request, for: order.engine)
        paintings.increment()
        guard format == .png, let limit = order.board.byteLimit else {
            return Picture(key: key, body: SharedBytes(bytes))
        }
        // Panels refuse larger pictures, and fewer levels make a smaller one.
        while bytes.count > limit, let palette = request.board.panel.palette.withFewerLevels {
            request.board.panel.palette = palette
            bytes = try await layouts.picture(request, for: order.engine)
        }
        if bytes.count > limit {
            log.warning(
                "The picture of a board is larger than its panel accepts; show fewer cells.",
                [.reason: "\(drawn.board.id)", .bytes: bytes.count, .count: limit]
            )
        }
        let palette = request.board.panel.palette
        let isReduced = palette != order.board.panel.palette
        return Picture(key: key, body: SharedBytes(bytes), reducedPalette: isReduced ? palette : nil)
    }

    /// Tells the panels which palette of fewer levels than configured a board is drawn with; nil for none.
    private func note(_ palette: PanelPalette?, of board: Board) {
        var sentence: String?
        if let palette, let limit = board.byteLimit {
            sentence =
                "Board '\(board.id)' is drawn with the palette \(palette.rawValue), because its picture would have "
                + "more than \(limit) bytes."
        }
        panels.set(reduced: sentence, of: board.id)
    }

    /// Keeps a picture as the last good one of its board, and has it stored unless it is stored already.
    ///
    /// If it cannot be stored, the next request tries again; only the first failure is logged.
    private func keep(_ drawn: DrawnBoard, _ picture: Picture) {
        let format = picture.key.format
        if format == .png { note(picture.reducedPalette, of: drawn.board) }
        let file = Self.file(drawn.board.id, format)
        let mustWrite = state.withLock { state in
            // The board may have been removed from the configuration while it was drawn.
            guard live.board(drawn.board.id) != nil else { return false }
            if state.last[file]?.picture.key != picture.key { state.last[file] = Last(drawn: drawn, picture: picture) }
            guard state.last[file]?.isStored == false else { return false }
            return state.waiting.insert(file).inserted
        }
        if mustWrite { store.queue.async { self.write(file) } }
    }

    /// Stores the last picture of a file; called on the queue of the store.
    private func write(_ file: String) {
        let last = state.withLock { state in
            state.waiting.remove(file)
            return state.last[file]
        }
        guard let last, !last.isStored else { return }
        do {
            try store.keep(last.drawn, last.picture)
            change(last, file) { $0.isStored = true }
        } catch {
            unstored.increment()
            guard !last.hasFailed else { return }
            change(last, file) { $0.hasFailed = true }
            log.warning(
                "The picture of a board cannot be stored; a restarted gateway will draw it again.",
                error: error
            )
        }
    }

    /// Changes the last picture of a file unless another one has taken its place.
    private func change(_ last: Last, _ file: String, _ body: (inout Last) -> Void) {
        state.withLock { state in
            guard var current = state.last[file], current.picture.key == last.picture.key else { return }
            body(&current)
            state.last[file] = current
        }
    }
}
