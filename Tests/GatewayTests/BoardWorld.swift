// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import EventStreams
import Foundation
import Locking
import MessageBus
import ServiceRuntime
import Telemetry
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Configuration
@testable import Gateway

/// A board of three widgets, a layout service that the test simulates, and the boards of one gateway.
///
/// A layout contains the number of its cycle as text. A picture is the JSON of the request that it answers, so a test can
/// read what was drawn.
final class BoardWorld: Sendable {
    static let widgets = ["news", "weather", "home"]

    static func text(_ header: String = "date", name: String = "News") -> String {
        """
        boards:
          kitchen:
            model: trmnl-og
            layout: one-two
            header: \(header)
            cells: [{widget: news, name: \(name)}, {widget: weather}, {widget: home}]
        widgets:
          news: {kind: feed, source: push}
          weather: {kind: forecast, source: push}
          home: {kind: keyValue, source: push}
        """
    }

    /// A cycle of a widget.
    struct Cycle: Hashable {
        let widget: WidgetID
        let sequence: SequenceNumber
    }

    /// The answers of the layout service.
    struct Service: Sendable {
        /// The newest cycle of each widget that the cache stores; a request for an earlier one is answered with it.
        var oldestStored: [WidgetID: SequenceNumber] = [:]
        var engine = 1
        /// The version of the engine that draws pictures; nil for ``engine``.
        var drawingEngine: Int?
        var fonts: ContentDigest?
        var layoutsRequested = 0
        var drawn: [BoardRequest] = []
        /// The sizes of pictures in bytes, by their palettes; empty for the JSON of the request.
        var bytes: [PanelPalette: Int] = [:]
        /// A Boolean value that indicates whether a layout contains its digest as text instead of the number of its cycle.
        ///
        /// Digests then depend on the revision of the board, too, as those of real layouts do.
        var showsDigests = false
        /// The revision of the board in each cycle.
        var revisions: [Cycle: String] = [:]
        /// The problem with which drawings fail; nil if they succeed.
        var drawingProblem: Problem?
        /// The problem with which all requests fail; nil if they succeed.
        var problem: Problem?
        /// A closure that is called before a layout is answered.
        var beforeLayout: (@Sendable (RenderRequest) -> Void)?

        func digest(_ cycle: Cycle, engine: Int) -> ContentDigest {
            let revision = showsDigests ? revisions[cycle] ?? "" : ""
            return BoardWorld.digest(cycle.widget, cycle.sequence, engine: engine, revision: revision)
        }
    }

    let gateway: GatewayParts
    let service = Lock(Service())
    let folder: TemporaryFolder
    private let clock = Lock(Instant.now.advanced(by: .seconds(-100_000)))
    private let client: BusClient

    init(_ text: String = text(), folder: TemporaryFolder? = nil) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        // Nobody listens at this address, and nobody is asked there.
        client = try BusClient(BusConfiguration(address: try BusAddress("tcp://127.0.0.1:9")))
        gateway = Self.gateway(client, try TidingsConfiguration.parse(text), folder.url.appending(path: "boards"))
    }

    /// Creates another gateway with the same configuration, which has seen no update yet.
    func anotherGateway() -> GatewayParts {
        Self.gateway(client, gateway.configuration, folder.url.appending(path: "others"))
    }

    private static func gateway(
        _ client: BusClient,
        _ configuration: TidingsConfiguration,
        _ folder: URL
    ) -> GatewayParts {
        let (metrics, view) = (Metrics(), BusView())
        view.setReady()
        return GatewayParts(
            client: client,
            view: view,
            hub: EventHub(limits: Samples.limits, metrics: metrics) { _ in .unavailable },
            pictures: PictureCache(metrics: metrics),
            waiters: UpdateWaiters(view: view),
            commands: CommandSequencer(nonce: "test"),
            access: Access(settings: TidingsConfiguration.Gateway(), tokens: TokenFile(), metrics: metrics),
            live: LiveConfiguration(configuration),
            metrics: metrics,
            log: .discarded,
            startedAt: .now,
            updateHistory: SharedUpdateHistory(start: .now),
            pages: PageFiles(),
            boardPictures: BoardPictureStore((folder, 64 << 20)),
            panels: PanelService(panels: configuration.panels)
        )
    }

    deinit { client.close() }

    /// Closes the client of the bus, so that each request to a service fails at once.
    func closeBus() { client.close() }

    /// Creates the routes of a gateway that has just been started; nil for the first one.
    func routes(of other: GatewayParts? = nil) -> [Route] {
        BoardRoutes(
            gateway: other ?? gateway,
            layouts: BoardRenderer.Layouts(
                layout: { request throws(Problem) in try self.layout(request) },
                paint: { request throws(Problem) in try self.paint(request) }
            )
        ).routes
    }

    private func layout(_ request: RenderRequest) throws(Problem) -> RenderAnswer {
        let (before, problem) = service.withLock { ($0.beforeLayout, $0.problem) }
        before?(request)
        if let problem { throw problem }
        return service.withLock { service in
            service.layoutsRequested += 1
            let asked = request.sequence ?? .zero
            let sequence = max(asked, service.oldestStored[request.widget] ?? .zero)
            let digest = service.digest(Cycle(widget: request.widget, sequence: sequence), engine: service.engine)
            let view = LayoutView(
                kind: .label,
                id: service.showsDigests ? digest.rawValue : sequence.description,
                frame: Rectangle(x: 0, y: 0, width: 10, height: 10)
            )
            return RenderAnswer(
                widget: request.widget,
                display: request.display,
                sequence: sequence,
                digest: digest,
                layout: Layout(size: Size(width: 10, height: 10), views: [view]),
                engine: LayoutEngineVersion(version: service.engine, fonts: service.fonts)
            )
        }
    }

    private func paint(_ request: BoardRequest) throws(Problem) -> (result: BoardAnswer, contents: [Data]) {
        if let problem = service.withLock({ $0.problem ?? $0.drawingProblem }) { throw problem }
        let engine = service.withLock { service in
            service.drawn.append(request)
            return service.drawingEngine ?? service.engine
        }
        let size = service.withLock { $0.bytes[request.board.panel.palette] }
        guard let bytes = size.map({ Data(count: $0) }) ?? (try? WireJSON.encode(request)) else {
            throw .badBody("the request cannot be encoded")
        }
        let picture = RenderedPicture(format: request.format, width: 800, height: 480, bytes: bytes.count)
        let answer = BoardAnswer(
            board: request.board.id,
            revision: request.board.revision,
            picture: picture,
            engine: LayoutEngineVersion(version: engine)
        )
        return (answer, [bytes])
    }

    /// Returns the digest of a widget's layout in a cycle: every tenth cycle looks different.
    static func digest(
        _ widget: WidgetID,
        _ sequence: SequenceNumber,
        engine: Int = 1,
        revision: String = ""
    ) -> ContentDigest {
        let look =
            "\(widget)\(revision)".utf8.reduce(UInt64(engine) << 40) { $0 &* 31 &+ UInt64($1) } &+ sequence.number / 10
        let digits = String(look, radix: 16)
        let text = String(repeating: "0", count: 64 - digits.count) + digits
        guard let digest = ContentDigest(rawValue: text) else { preconditionFailure("\(text) is not a digest") }
        return digest
    }

    // MARK: Updates

    /// Publishes a cycle of a widget, with its cells in the configuration or in `configuration`; the boards that changed.
    @discardableResult
    func publish(
        _ name: String,
        _ sequence: UInt64,
        of configuration: TidingsConfiguration? = nil,
        isRemoved: Bool = false
    ) throws -> Set<BoardID> {
        gateway.view.take(try update(name, sequence, of: configuration, isRemoved: isRemoved)) ?? []
    }

    func update(
        _ name: String,
        _ sequence: UInt64,
        of configuration: TidingsConfiguration? = nil,
        isRemoved: Bool = false
    ) throws -> StreamedUpdate {
        let number = SequenceNumber(sequence)
        let configuration = configuration ?? gateway.configuration
        let id = try Samples.widget(name)
        let now = clock.withLock { clock in
            clock = clock.advanced(by: .seconds(60))
            return clock
        }
        let digest = service.withLock { service in
            let cycle = Cycle(widget: id, sequence: number)
            service.revisions[cycle] = configuration.boards.first?.revision
            return service.digest(cycle, engine: 1)
        }
        var displays: [DisplayName: DisplayState] = [:]
        if let widget = configuration.widget(id), !isRemoved {
            for display in configuration.displays(of: widget) {
                displays[display.name] = DisplayState(
                    digest: digest,
                    height: 10,
                    nextChange: now.advanced(by: .seconds(200_000)),
                    changed: now,
                    board: display.panel?.cell?.place
                )
            }
        }
        let update = Update(
            result: .newData,
            reason: isRemoved ? .removed : .visibleChange,
            cause: .refresh,
            outcome: .fresh,
            changed: displays.keys.sorted(),
            displays: displays,
            hasContent: true,
            times: CycleTimes(decided: now),
            summary: ""
        )
        let range = try #require(SequenceRange(first: number, sequence: number))
        let offset = try Samples.offset(sequence)
        let event = Event(.update(.newData, id), widget: id, range: range, offset: offset, time: now, data: update)
        return try Samples.streamed(event, offset: sequence)
    }

    func publishAll(_ sequence: UInt64) throws {
        for widget in Self.widgets { try publish(widget, sequence) }
    }
}

extension [Route] {
    /// Requests `/v1/boards`.
    func boards() async throws -> [BoardDocument] {
        let route = try #require(first { $0.id == "listBoards" })
        let request = WebRequest(method: "GET", path: "/v1/boards", query: [], headers: [])
        let call = Call(request: request, parameters: [:], client: "127.0.0.1", token: nil)
        guard case .later(let body) = try route.handle(call) else { return [] }
        return try WireJSON.decode(BoardList.self, from: await body().body).boards
    }

    /// Requests `/boards/FILE`.
    func board(
        _ file: String,
        method: String = "GET",
        headers: [WebHeader] = [],
        panel: String? = nil
    ) async throws -> WebResponse {
        let route = try #require(first { $0.id == "getBoard" })
        let query = panel.map { [(name: "panel", value: $0)] } ?? []
        let request = WebRequest(method: method, path: "/boards/\(file)", query: query, headers: headers)
        let call = Call(request: request, parameters: ["file": file], client: "127.0.0.1", token: nil)
        do throws(Problem) {
            switch try route.handle(call) {
            case .now(let response): return response
            case .later(let body): return await body()
            }
        } catch {
            return error.response(instance: "/boards/\(file)")
        }
    }
}

extension WebResponse {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Returns the request that the picture answers.
    func drawnBoard() throws -> BoardRequest { try WireJSON.decode(BoardRequest.self, from: body) }

    func document() throws -> BoardDocument { try WireJSON.decode(BoardDocument.self, from: body) }
}
