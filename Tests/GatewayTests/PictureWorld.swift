// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Cryptography
import EventStreams
import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Configuration
@testable import Gateway

/// Widgets with random contents on random displays, a layout service, and the pictures of several gateways.
final class PictureWorld {
    /// A gateway with its pictures.
    struct Host {
        let gateway: GatewayParts
        let picture: Route

        /// Requests `/widgets/WIDGET/FILE`.
        func get(
            _ widget: WidgetID,
            _ file: String,
            method: String = "GET",
            query: [(name: String, value: String)] = [],
            headers: [WebHeader] = []
        ) async throws -> WebResponse {
            let path = "/widgets/\(widget)/\(file)"
            let call = Call(
                request: WebRequest(method: method, path: path, query: query, headers: headers),
                parameters: ["widget": widget.rawValue, "file": file],
                client: "127.0.0.1",
                token: nil
            )
            switch try picture.handle(call) {
            case .now(let response): return response
            case .later(let body): return await body()
            }
        }
    }

    let service = DrawingService()
    private(set) var hosts: [Host] = []
    private(set) var displays: [Display] = []
    private(set) var latest: [WidgetID: StreamedUpdate] = [:]
    private var contents: [WidgetID: Content] = [:]
    private var interactions: [WidgetID: InteractionState] = [:]
    private var generator: SeededGenerator
    private var clients: [BusClient] = []
    private var offset: UInt64 = 0
    /// The time of the first cycle; the others follow, one each second.
    var start = Instant.now.advanced(by: .seconds(-10_000))

    init(seed: UInt64, gateways: Int, maximumBytes: Int = PictureCache.defaultMaximumBytes) throws {
        generator = SeededGenerator(seed: seed)
        displays = try ["wall", "phone", "desk"].map { try display($0) }
        for _ in 0..<gateways { hosts.append(try host(maximumBytes)) }
        hear()
    }

    deinit { for client in clients { client.close() } }

    private func host(_ maximumBytes: Int) throws -> Host {
        // Nobody listens at this address, and nobody is asked there.
        let client = try BusClient(BusConfiguration(address: try BusAddress("tcp://127.0.0.1:9")))
        clients.append(client)
        let (metrics, view) = (Metrics(), BusView())
        let instance = try #require(InstanceName(rawValue: "gateway"))
        let gateway = GatewayParts(
            client: client,
            view: view,
            hub: EventHub(limits: Samples.limits, metrics: metrics) { _ in .unavailable },
            pictures: PictureCache(maximumBytes: maximumBytes, metrics: metrics),
            waiters: UpdateWaiters(view: view),
            commands: CommandSequencer(nonce: "test"),
            access: Access(settings: TidingsConfiguration.Gateway(), tokens: TokenFile(), metrics: metrics),
            live: LiveConfiguration(TidingsConfiguration(instance: instance)),
            metrics: metrics,
            log: .discarded,
            startedAt: start,
            updateHistory: SharedUpdateHistory(start: start),
            pages: PageFiles()
        )
        view.setReady()
        let routes = PictureRoutes(gateway: gateway) { [service] request throws(Problem) in
            try await service.ask(request)
        }
        return Host(gateway: gateway, picture: try #require(routes.routes.first { $0.id == "getPicture" }))
    }

    private func pick<Value>(_ values: [Value]) -> Value {
        guard let value = values.randomElement(using: &generator) else { preconditionFailure("there are no values") }
        return value
    }

    // MARK: Engines

    /// Replaces the engines of the layout instances; the gateways hear of it.
    func run(engines: [Int]) {
        service.engines = engines
        hear()
    }

    private func hear() {
        for (number, engine) in service.engines.enumerated() {
            guard let instance = InstanceName(rawValue: "instance-\(number)") else { continue }
            var health = Health(state: .ready, version: "1", startedAt: start)
            health.gauges = [LayoutEngineVersion.healthGauge: Int64(engine)]
            let (topic, subject) = (Topic.health(.layout, instance), "layout/\(instance)")
            let event = Event(topic, subject: subject, nonce: "test", counter: 1, time: start, data: health)
            for host in hosts { host.gateway.view.take(event) }
        }
    }

    // MARK: Widgets

    private func display(_ name: String) throws -> Display {
        let family = pick([.todayClassic, .systemSmall, .systemMedium, .panel, Display.Family.accessoryRectangular])
        return .sample(try Samples.display(name)) { display in
            display.family = family
            display.width = Double(pick([160, 200, 320]))
            display.maximumHeight = Double(pick([90, 160, 300]))
            display.contentSizeCategory = pick([.large, .small, .extraExtraExtraLarge])
            display.scale = pick([1, 2])
            display.locale = pick(["en_US", "de_DE", "ar_EG"])
            display.appearance = pick([.light, .dark])
        }
    }

    private static let words = ["One", "Two", "Three", "A longer title of several words", "שלום"]

    private func item(_ number: Int) -> FeedItem {
        FeedItem(
            id: "\(number)",
            title: pick(Self.words),
            author: pick([nil, "Ann"]),
            published: start,
            link: pick([nil, "https://example.org/\(number)", "editor://\(number)"])
        )
    }

    private func content(_ kind: WidgetKind) -> Content {
        switch kind {
        case .quote: .quote(QuoteContent(quotes: [Quote(text: pick(Self.words), author: pick([nil, "Ann"]))]))
        default: .feed(FeedContent(title: "Blog", items: (0..<pick([1, 4, 8])).map { item($0) }))
        }
    }

    /// Changes a widget or the displays at random, as a cycle of its own.
    ///
    /// The gateways get the update, each with a probability of `percent`.
    func edit(_ widget: WidgetID, reaching percent: Int = 100) async throws {
        switch contents[widget] {
        case .feed(var feed) where generator.chance(60):
            // Most displays do not show the last items.
            let place = Int.random(in: 0..<feed.items.count, using: &generator)
            feed.items[place] = item(place)
            contents[widget] = .feed(feed)
        case .some where generator.chance(30): break
        // Another widget with the same content looks the same.
        case .some(let content) where generator.chance(30):
            contents[widget] = contents.values.filter { $0.kind == content.kind }.randomElement(using: &generator)
        default: contents[widget] = content(pick([.feed, .feed, .quote]))
        }
        if generator.chance(10) { interactions[widget, default: InteractionState()].expanded.toggle() }
        if generator.chance(15) {
            let place = Int.random(in: 0..<displays.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: displays[place].scale = 3 - displays[place].scale
            case 1: displays[place].appearance = pick([.light, .dark])
            case 2: displays[place].contentSizeCategory = pick([.large, .extraLarge])
            default: displays[place] = try display(displays[place].name.rawValue)
            }
        }
        try await commit(widget, reaching: percent)
    }

    private func commit(_ widget: WidgetID, reaching percent: Int) async throws {
        let content = try #require(contents[widget])
        let bytes = try WireJSON.encode(content)
        let digest = try #require(ContentDigest(rawValue: SHA256.hexDigest(of: bytes)))
        offset += 1
        let sequence = (latest[widget]?.range.sequence ?? .zero).next
        let range = SequenceRange(sequence)
        let now = start.advanced(by: .seconds(Int64(offset)))
        let refreshed = Refreshed(
            cause: .refresh,
            outcome: .changed,
            instant: now,
            displays: displays,
            definition: WidgetDefinition(kind: content.kind),
            interaction: interactions[widget] ?? InteractionState(),
            contentSequence: sequence,
            content: ContentReference(parsing: Parsing(kind: content.kind).key, digest: digest),
            times: CycleTimes(committed: now)
        )
        let cycle = Event(.refreshed(widget), widget: widget, range: range, time: now, data: refreshed)
        service.add(DrawingService.Cycle(event: cycle, content: bytes), of: widget)
        var states: [DisplayName: DisplayState] = [:]
        for display in displays {
            let request = RenderRequest(widget: widget, display: display.name, sequence: sequence)
            let drawn = try await service.draw(request, engine: service.engines[0])
            let before = latest[widget]?.event.data.displays[display.name]
            let isSame = before?.digest == drawn.answer.digest
            let digest = drawn.answer.digest
            states[display.name] = DisplayState(digest: digest, height: 1, changed: isSame ? before?.changed : now)
        }
        let before = latest[widget]?.event.data.displays ?? [:]
        let changed = states.filter { before[$0.key]?.digest != $0.value.digest }.map(\.key)
        let update = Update.sample(changed.isEmpty ? .noData : .newData, changed.isEmpty ? .sameRows : .visibleChange) {
            ($0.changed, $0.displays) = (changed.sorted(), states)
            $0.times = CycleTimes(committed: now, decided: now)
        }
        let event = Event(.update(update.result, widget), widget: widget, range: range, time: now, data: update)
        let streamed = try Samples.streamed(event, offset: offset)
        latest[widget] = streamed
        for host in hosts where host.gateway.view[widget] == nil || generator.chance(percent) {
            host.gateway.view.take(streamed)
        }
    }

    /// Gives all gateways the latest update of each widget.
    func deliver() {
        for update in latest.values { for host in hosts { host.gateway.view.take(update) } }
    }
}
