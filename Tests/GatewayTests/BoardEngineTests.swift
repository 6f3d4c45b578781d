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
    private func run(version: Int, fonts: ContentDigest? = nil) throws {
        world.service.withLock { ($0.engine, $0.fonts) = (version, fonts) }
        let instance = try #require(InstanceName(rawValue: "layout-1"))
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
                subject: "layout/layout-1",
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
}
