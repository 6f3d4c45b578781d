// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import ServiceRuntime
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Configuration
@testable import Gateway

/// Boards of two gateways, while widgets, configurations, engines and epochs change and drawings fail.
@Suite(.timeLimit(.minutes(5))) struct BoardRaceTests {
    /// A message that reaches a gateway some time after it was sent.
    private enum Message {
        case update(StreamedUpdate)
        case epoch([StreamedUpdate])
        case configuration(TidingsConfiguration)
        case engine(Int)
    }

    private struct Gateway {
        let context: GatewayParts
        let routes: [Route]
        var queue: [Message] = []

        mutating func deliver(_ count: Int) throws {
            for message in queue.prefix(count) {
                switch message {
                case .update(let update): context.view.take(update)
                case .epoch(let updates): context.view.replaceStates(by: updates)
                case .configuration(let configuration): context.live.replace(configuration)
                case .engine(let version): context.view.take(try Self.health(version))
                }
            }
            queue.removeFirst(min(count, queue.count))
        }

        private static func health(_ version: Int) throws -> Event<Health> {
            let instance = try #require(InstanceName(rawValue: "layout-\(version)"))
            let gauges = [LayoutEngineVersion.healthGauge: Int64(version)]
            let data = Health(state: .ready, version: "1", startedAt: .now, gauges: gauges)
            let topic = Topic.health(.layout, instance)
            return Event(topic, subject: "layout/\(instance)", nonce: "n", counter: 1, time: .now, data: data)
        }
    }

    /// The house: what the cache has published, and the two gateways.
    private final class House {
        let world: BoardWorld
        var gateways: [Gateway]
        private(set) var random: SeededGenerator
        private(set) var latest: [String: StreamedUpdate] = [:]
        private let configurations: [TidingsConfiguration]
        private(set) var configuration: TidingsConfiguration
        private var numbers: [String: UInt64] = [:]
        private var backup: [String: StreamedUpdate] = [:]

        init(seed: UInt64) throws {
            world = try BoardWorld()
            world.service.withLock { $0.showsDigests = true }
            let other = world.anotherGateway()
            gateways = [
                Gateway(context: world.gateway, routes: world.routes()),
                Gateway(context: other, routes: world.routes(of: other)),
            ]
            random = SeededGenerator(seed: seed)
            let moved = BoardWorld.text().replacing("one-two", with: "two-two")
            configurations = [
                world.gateway.configuration, try TidingsConfiguration.parse(moved),
                try TidingsConfiguration.parse(BoardWorld.text(name: "Post")),
                try TidingsConfiguration.parse(BoardWorld.text().replacing("  home: {kind", with: "  hall: {kind")),
            ]
            configuration = configurations[0]
            for widget in BoardWorld.widgets { try publish(widget) }
        }

        func chance(_ percent: Int) -> Bool { random.chance(percent) }

        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

        private func send(_ message: Message) {
            for index in gateways.indices { gateways[index].queue.append(message) }
        }

        /// Makes the next cycle of a widget, which often looks the same.
        func next(_ widget: String) throws -> StreamedUpdate {
            let number = numbers[widget, default: 0] + UInt64(number(1...12))
            numbers[widget] = number
            let id = try Samples.widget(widget)
            let isRemoved = configuration.widget(id) == nil
            let update = try world.update(widget, number, of: configuration, isRemoved: isRemoved)
            latest[widget] = update
            return update
        }

        func publish(_ widget: String) throws { send(.update(try next(widget))) }

        func change() throws {
            switch number(0...99) {
            case 0..<70: try publish(BoardWorld.widgets[number(0...2)])
            case 70..<76:
                // Gateways may learn of a configuration before the cycles with it or after them.
                configuration = configurations[number(0...configurations.count - 1)]
                if chance(50) { send(.configuration(configuration)) }
                for widget in BoardWorld.widgets.shuffled(using: &random) { try publish(widget) }
                send(.configuration(configuration))
            case 76..<80: backup = latest
            case 80..<83: try restore()
            default: break
            }
        }

        /// Restores the backup: its states in another epoch, then new cycles with higher numbers.
        private func restore() throws {
            guard backup.count == BoardWorld.widgets.count else { return }
            send(.epoch(BoardWorld.widgets.compactMap { backup[$0] }))
            for widget in BoardWorld.widgets {
                numbers[widget, default: 0] += 1_000
                try publish(widget)
            }
            // The cache stores no earlier cycle.
            for (widget, update) in latest {
                let id = try Samples.widget(widget)
                world.service.withLock { $0.oldestStored[id] = update.range.sequence }
            }
        }

        /// Lets two engines answer by turns, the newer one alone, or an older one.
        func upgrade(step: Int, of steps: Int) {
            if step == steps / 3 { send(.engine(2)) }
            let version = step < steps / 4 ? 1 : step > steps * 3 / 4 ? 2 : number(1...2)
            world.service.withLock { $0.engine = version }
        }
    }

    private struct Seen {
        var bodies: [String: Data] = [:]
        var documents = 0
        var unavailable = 0
    }

    /// Requests the picture and the document of a gateway, and checks that they show one revision and its tag.
    private func look(_ house: House, _ gateway: Gateway, _ seen: inout Seen) async throws {
        let picture = try await gateway.routes.board("kitchen.png")
        house.world.service.withLock { $0.beforeLayout = nil }
        guard picture.status == 200 else {
            #expect(picture.status == 503)
            seen.unavailable += 1
            return
        }
        let tag = try #require(picture.header("ETag"))
        let request = try picture.drawnBoard()
        let known = seen.bodies.updateValue(picture.body, forKey: tag)
        #expect(known == nil || known == picture.body)
        #expect(request.cells.map(\.cell) == request.board.cells.indices.filter { request.board.cells[$0].exists })
        let document = try await gateway.routes.board("kitchen.json").document()
        guard document.etag == tag, document.revision == gateway.context.configuration.boards[0].revision else {
            return
        }
        seen.documents += 1
        #expect(request.board.revision == document.revision)
        let shown = document.cells.filter { $0.sequence != nil }
        #expect(shown.count == request.cells.count)
        for (cell, drawn) in zip(shown, request.cells) {
            let (sequence, digest) = (try #require(cell.sequence), try #require(cell.digest))
            let cycle = BoardWorld.Cycle(widget: cell.widget, sequence: sequence)
            let (revision, digests) = house.world.service.withLock { service in
                (service.revisions[cycle], [1, 2].map { service.digest(cycle, engine: $0) })
            }
            #expect(revision == document.revision && digests.contains(digest))
            #expect(drawn.layout.views.first?.id == digest.rawValue)
        }
    }

    @Test(arguments: TestExtent.of(1...2, nightly: 1...40) as ClosedRange<UInt64>)
    func everyPictureOfEachGatewayShowsOneRevisionAndItsTag(seed: UInt64) async throws {
        let house = try House(seed: seed)
        let steps = TestExtent.of(300, nightly: 1_000)
        var seen = Seen()
        for step in 0..<steps {
            try house.change()
            house.upgrade(step: step, of: steps)
            for index in house.gateways.indices { try house.gateways[index].deliver(house.number(0...4)) }
            let gateway = house.gateways[house.number(0...1)]
            if house.chance(20) {
                // While the layouts are requested, a widget changes, and its earlier cycles are removed.
                let widget = BoardWorld.widgets[house.number(0...2)]
                let update = try house.next(widget)
                for index in house.gateways.indices { house.gateways[index].queue.append(.update(update)) }
                let (service, context) = (house.world, gateway.context)
                house.world.service.withLock {
                    $0.beforeLayout = { _ in
                        service.service.withLock { $0.oldestStored[update.widget] = update.range.sequence }
                        context.view.take(update)
                    }
                }
            }
            let dies = house.chance(20) ? Problem(503, "unavailable", "A service cannot answer now.", "") : nil
            house.world.service.withLock { $0.drawingProblem = dies }
            try await look(house, gateway, &seen)
        }
        #expect(seen.bodies.count > steps / 10 && seen.documents > steps / 10)
        try await expectTheSamePicture(house)
    }

    /// Checks that both gateways have the same picture of the latest cycles once they have all messages.
    private func expectTheSamePicture(_ house: House) async throws {
        house.world.service.withLock { ($0.engine, $0.drawingProblem) = (2, nil) }
        for widget in BoardWorld.widgets { try house.publish(widget) }
        var pictures: [WebResponse] = []
        for index in house.gateways.indices {
            try house.gateways[index].deliver(.max)
            let gateway = house.gateways[index]
            gateway.context.live.replace(house.configuration)
            pictures.append(try await gateway.routes.board("kitchen.png"))
            let document = try await gateway.routes.board("kitchen.json").document()
            #expect(document.isCurrent)
            for cell in document.cells where cell.exists {
                let sequence = try #require(house.latest[cell.widget.rawValue]?.range.sequence)
                let cycle = BoardWorld.Cycle(widget: cell.widget, sequence: sequence)
                #expect(cell.digest == house.world.service.withLock { $0.digest(cycle, engine: 2) })
            }
        }
        #expect(pictures[0].status == 200 && pictures[0].header("ETag") == pictures[1].header("ETag"))
        #expect(pictures[0].body == pictures[1].body)
    }
}
