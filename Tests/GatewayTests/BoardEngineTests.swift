// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import ServiceRuntime
import Testing
import WebServer
import WidgetSchema

@testable import Gateway

/// Boards while the layout service gets another engine or other fonts.
@Suite(.timeLimit(.minutes(2))) struct BoardEngineTests {
    private let world: BoardWorld
    private let routes: [Route]

    init() throws {
        world = try BoardWorld()
        routes = world.routes()
    }

    /// Replaces the engine of the layout service; the gateway hears of it.
    private func run(version: Int, fonts: ContentDigest? = nil, as name: String = "layout-1") throws {
        world.service.withLock { ($0.engine, $0.fonts) = (version, fonts) }
        let instance = try #require(InstanceName(rawValue: name))
        let engine = LayoutEngineVersion(version: version, fonts: fonts)
        let health = Health(
            state: .ready,
            version: "1",
            startedAt: .now,
            gauges: [
                LayoutEngineVersion.healthGauge: Int64(version),
                LayoutEngineVersion.fontsHealthGauge: engine.fontsMark ?? 0,
            ]
        )
        world.gateway.view.take(
            Event(
                .health(.layout, instance),
                subject: "layout/\(name)",
                nonce: "n",
                counter: 1,
                time: .now,
                data: health
            )
        )
    }

    @Test func anotherEngineMakesAnotherPictureWithALaterModification() async throws {
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png")
        try run(version: 2)
        let second = try await routes.board("kitchen.png")
        #expect(second.header("ETag") != first.header("ETag"))
        let dates = [first, second].map { $0.header("Last-Modified").flatMap(HTTPDate.seconds) ?? 0 }
        #expect(dates[1] > dates[0])
    }

    @Test(arguments: ["9", "1"] as [Character])
    func otherFontsMakeAnotherPictureWithoutAnotherVersion(digit: Character) async throws {
        try run(version: 1, fonts: try Samples.digest("5"))
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png")
        try run(version: 1, fonts: try Samples.digest(digit))
        let second = try await routes.board("kitchen.png")
        #expect(second.header("ETag") != first.header("ETag"))
        #expect(world.service.withLock(\.layoutsRequested) == 6)
        #expect(try await routes.board("kitchen.png").header("ETag") == second.header("ETag"))
        #expect(world.service.withLock(\.layoutsRequested) == 6)
    }

    // MARK: Upgrades

    @Test func duringAnUpgradeAnInstanceOfTheCurrentEngineIsRequested() throws {
        try run(version: 1)
        #expect(world.gateway.view.layoutInstance == nil)
        try run(version: 2, as: "layout-2")
        #expect(world.gateway.view.layoutInstance?.rawValue == "layout-2")
    }

    @Test func aLayoutOfTheOldInstanceIsNotKeptForTheNewEngine() async throws {
        try run(version: 2)
        try world.publishAll(10)
        var dates: [Int64] = []
        for engine in [1, 2] {
            world.service.withLock { $0.engine = engine }
            let picture = try await routes.board("kitchen.svg", method: "HEAD")
            dates.append(try #require(picture.header("Last-Modified").flatMap(HTTPDate.seconds)))
            for cell in try await routes.board("kitchen.json").document().cells {
                #expect(cell.digest == BoardWorld.digest(cell.widget, 10, engine: engine))
            }
        }
        #expect(dates[0] < dates[1])
    }

    @Test func aPictureOfAnOlderEngineIsNotKept() async throws {
        try run(version: 2)
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png")
        try world.publish("news", 20)
        world.service.withLock { $0.drawingEngine = 1 }
        #expect(try await routes.board("kitchen.png").header("ETag") == first.header("ETag"))
        world.service.withLock { $0.drawingEngine = nil }
        #expect(try await routes.board("kitchen.png").header("ETag") != first.header("ETag"))
    }
}
