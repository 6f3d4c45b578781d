// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import PanelSupport
import Telemetry
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Configuration
@testable import Gateway

/// A gateway with a panel, whose boards the test paints, on a clock of its own.
///
/// The gateway can be killed before and after each request, moved to another machine, and restored from a copy of its files.
final class PanelWorld {
    static let id = "AA:BB:CC:DD:EE:FF"

    static func text(_ panel: String = "interval: 15m") -> String {
        """
        boards:
          kitchen: {model: trmnl-og, layout: full, cells: [{widget: news}]}
          hall: {model: trmnl-og, layout: full, cells: [{widget: news}]}
        panels:
          wall: {id: "aa-bb-cc-dd-ee-ff", board: kitchen, timeZone: Europe/Berlin, \(panel)}
          reader: {board: hall}
        widgets:
          news: {kind: feed, source: push}
        """
    }

    /// The answers that the layout service and the boards would give.
    struct Scene: Sendable {
        var now: Instant
        /// The pictures of the boards; a board without one never had any.
        var pictures: [BoardID: Data] = [:]
        var lastChange: Instant?
        var changes = BoardChanges()
        /// A Boolean value that indicates whether boards and notices cannot be drawn.
        var layoutIsDown = false
        /// A Boolean value that indicates whether nothing is answered, as by services that stand still.
        var isFrozen = false
        /// The last picture of each board that was drawn.
        var lastPictures: [BoardID: PanelPictures.BoardPicture] = [:]
        var drawn = 0

        /// Returns the last picture of a board, which may not be the current one; nil if it never had one.
        func last(_ board: BoardID) -> PanelPictures.BoardPicture? {
            var picture = lastPictures[board]
            picture?.isCurrent = false
            return picture
        }
    }

    /// The scene, which the routes share with the test.
    final class Stage: Sendable {
        let scene: Lock<Scene>

        init(_ scene: Scene) { self.scene = Lock(scene) }

        /// Returns the current picture of a board, or the last one; waits while the services stand still.
        func board(_ board: BoardID) async -> PanelPictures.BoardPicture? {
            await thaw()
            return scene.withLock { scene in
                guard !scene.layoutIsDown, let png = scene.pictures[board] else {
                    return scene.last(board)
                }
                let picture = PanelPictures.BoardPicture(
                    png: SharedBytes(png),
                    lastChange: scene.lastChange,
                    isCurrent: true
                )
                scene.lastPictures[board] = picture
                return picture
            }
        }

        func draw(_ request: BoardRequest) async throws(Problem) -> (result: BoardAnswer, contents: [Data]) {
            await thaw()
            let isDown = scene.withLock { scene in
                scene.drawn += 1
                return scene.layoutIsDown
            }
            guard !isDown, let text = try? WireJSON.encode(request) else { throw Problem(503, "down", "Down.", "") }
            let bytes = PanelWorld.png(String(decoding: text, as: UTF8.self))
            let picture = RenderedPicture(format: .png, width: 1, height: 1, bytes: bytes.count)
            let answer = BoardAnswer(
                board: request.board.id,
                revision: request.board.revision,
                picture: picture,
                engine: LayoutEngineVersion(version: 1)
            )
            return (answer, [bytes])
        }

        private func thaw() async {
            while scene.withLock(\.isFrozen) { await ScriptedFirmware.pause(until: .now + .milliseconds(20)) }
        }
    }

    /// A folder in memory, because each request waits for the disk.
    private static let shared = URL(filePath: "/dev/shm")

    let stage: Stage
    let base: GatewayParts
    let folder: URL
    private let boards: BoardWorld
    private let timeout: Duration
    private(set) var router: Router
    private(set) var gateway: GatewayParts
    private(set) var routes: [Route] = []
    /// The answers with each status.
    private(set) var statuses: [Int: Int] = [:]

    /// Creates a gateway that waits for pictures for `timeout`.
    init(
        _ text: String = text(),
        at start: Instant = Instant(milliseconds: 1_764_500_000_000),
        timeout: Duration = PanelPictures.timeout
    ) throws {
        boards = try BoardWorld(text)
        self.timeout = timeout
        base = boards.gateway
        gateway = base
        router = Self.router([], base)
        let isShared = FileManager.default.fileExists(atPath: Self.shared.path)
        let root = isShared ? Self.shared : FileManager.default.temporaryDirectory
        folder = root.appending(path: "tidings-panels-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        stage = Stage(Scene(now: start))
        restart()
    }

    deinit {
        stage.scene.withLock { $0.isFrozen = false }
        try? FileManager.default.removeItem(at: folder)
    }

    var now: Instant { stage.scene.withLock(\.now) }
    var panels: PanelService { gateway.panels }

    func advance(by seconds: Int64) { stage.scene.withLock { $0.now = $0.now.advanced(by: .seconds(seconds)) } }

    /// Paints a board; each text gives other pixels.
    func paint(_ board: String, _ text: String) throws {
        let id = try #require(BoardID(rawValue: board))
        stage.scene.withLock { scene in
            scene.pictures[id] = Self.png(text)
            scene.lastChange = scene.now
        }
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func png(_ text: String) -> Data { Data(signature) + Data(text.utf8) }

    // MARK: Faults

    private var stored: URL { folder.appending(path: "panels") }
    private var copy: URL { folder.appending(path: "copy") }

    /// Ends the gateway as a crash does, and starts another one.
    func restart() {
        gateway.panels = PanelService()
        routes = []
        var context = base
        context.panels = PanelService(folder: stored.path, panels: base.configuration.panels)
        let stage = stage
        let sources = PanelPictures.Sources(
            board: { board in await stage.board(board) },
            last: { board in stage.scene.withLock { $0.last(board) } },
            draw: { request throws(Problem) in try await stage.draw(request) }
        )
        let pictures = PanelPictures(sources, live: base.live, metrics: base.metrics, timeout: timeout)
        routes =
            PanelRoutes(
                gateway: context,
                pictures: pictures,
                changes: { _ in stage.scene.withLock(\.changes) },
                now: { stage.scene.withLock(\.now) }
            ).routes
        gateway = context
        router = Self.router(routes, context)
    }

    private static func router(_ routes: [Route], _ gateway: GatewayParts) -> Router {
        let panels = gateway.panels
        return Router(
            routes,
            access: gateway.access,
            isKnownPanel: { PanelHeaders($0).map(panels.isKnown) ?? false },
            metrics: gateway.metrics,
            log: AccessLog(isOn: false, log: .discarded, metrics: gateway.metrics)
        )
    }

    /// Copies the files of the gateway, for a later ``restore()``.
    func backUp() throws {
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: stored, to: copy)
    }

    /// Puts the copied files in place of the current ones; returns false if there is no copy.
    func restore() throws -> Bool {
        guard FileManager.default.fileExists(atPath: copy.path) else { return false }
        gateway.panels = PanelService()
        routes = []
        try FileManager.default.removeItem(at: stored)
        try FileManager.default.copyItem(at: copy, to: stored)
        diskFails = false
        restart()
        return true
    }

    /// Puts the copied files in place of those of the running gateway, as `tidings restore` does.
    func restoreBesideTheGateway() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: copy.path)
        for name in names.filter({ $0 != ".lock" }) + [".lock"] {
            let data = try Data(contentsOf: copy.appending(path: name))
            try data.write(to: stored.appending(path: name), options: .atomic)
        }
    }

    /// A Boolean value that indicates whether records cannot be written.
    private(set) var diskFails = false

    /// Makes each write of a record fail: a folder is in the place of its draft.
    func failDisk() throws {
        guard !diskFails else { return }
        for name in fileNames where name.hasSuffix(".new") {
            try FileManager.default.removeItem(at: stored.appending(path: name))
        }
        for name in fileNames where name.hasSuffix(".json") {
            let draft = stored.appending(path: name + ".new")
            try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: false)
        }
        diskFails = true
    }

    /// Repairs the disk; the gateway writes again when its pause is over.
    func repairDisk() async throws {
        guard diskFails else { return }
        diskFails = false
        for name in fileNames where name.hasSuffix(".new") {
            try FileManager.default.removeItem(at: stored.appending(path: name))
        }
        await ScriptedFirmware.pause(until: .now + .milliseconds(1_100))
    }

    /// Leaves what a process leaves that ends while it writes.
    func tearFiles() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: stored.path) where !name.hasPrefix(".") {
            try Data("torn".utf8).write(to: stored.appending(path: name + ".new"))
        }
        try Data("lost".utf8).write(to: stored.appending(path: "\(String(repeating: "0", count: 32))-1.png"))
    }

    var fileNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: stored.path)) ?? []).filter { !$0.hasPrefix(".") }
    }

    // MARK: Requests

    /// The address of the client that sends requests.
    var client = "192.0.2.7"

    /// Sends a request.
    func send(
        _ method: String,
        _ url: String,
        _ headers: [WebHeader],
        body: Data = Data()
    ) async -> WebResponse {
        let rest = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).dropFirst(2).first ?? ""
        let (host, path) = (rest.prefix { $0 != "/" }, String(rest.drop { $0 != "/" }))
        let all = headers + [WebHeader("Host", String(host))]
        let request = WebRequest(method: method, path: path, headers: all, body: body, client: client)
        let response = await answer(request)
        statuses[response.status, default: 0] += 1
        return response
    }

    private func answer(_ request: WebRequest) async -> WebResponse {
        switch router.admit(request) {
        case .refused(let response): return response
        case .accepted(_, _, let respond):
            switch respond(request) {
            case .now(let response): return response
            case .later(let later): return await later()
            }
        }
    }

    /// Opens the pairing window for a panel.
    func pair(_ panel: String? = nil, minutes: Int? = nil) throws {
        let output = panels.answer(.request(PanelsRequest(action: .pair, panel: panel, minutes: minutes)), at: now)
        guard case .report = output else {
            Issue.record("the window does not open: \(output)")
            return
        }
    }

    /// Returns the only panel with an id in the report.
    func wall() throws -> PanelReport.Entry {
        let report = try #require(panels.report(at: now))
        return try #require(report.panels.first { $0.id?.rawValue == Self.id })
    }
}
