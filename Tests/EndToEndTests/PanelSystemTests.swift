// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import OriginSupport
import PanelSupport
import ServiceRuntime
import TestSupport
import Testing
import WebServer
import WidgetSchema

/// Tests of a panel that sleeps, with all services.
@Suite(.timeLimit(.minutes(60))) struct PanelSystemTests {
    private static let id = "AA:BB:CC:DD:EE:FF"
    private static let configuration = """
        boards:
          kitchen: {model: trmnl-og, layout: full, cells: [{widget: news}]}
        panels:
          wall: {id: "\(id)", board: kitchen, interval: 5s, minimumSleep: 5s}

        """
    /// A panel whose board, at first, does not have the widget `blog`.
    private static let twoBoards = """
        boards:
          hall: {model: trmnl-og, layout: full, cells: [{widget: news}]}
          kitchen: {model: trmnl-og, layout: halves, cells: [{widget: news}, {widget: blog}]}
        panels:
          wall: {id: "\(id)", board: hall, interval: 5s, minimumSleep: 5s}

        """
    private static let fetching = ["fileDirectory": "./files", "interval": "1s", "minimumInterval": "1s"]

    /// Runs `body` beside all services, with a panel whose board shows the file `files/news.xml`, and a gateway.
    ///
    /// `widgets` joins the widget `news`, and `panels` has the boards, of which one is `kitchen`, and the panel.
    private func withPanel(
        _ widgets: [String: String] = [:],
        panels: String = PanelSystemTests.configuration,
        _ body: (_ system: RunningSystem, _ port: Int) async throws -> Void
    ) async throws {
        try await RunningSystem.with(
            ["news": "{kind: feed, source: {file: news.xml}}"].merging(widgets) { news, _ in news },
            fetching: Self.fetching,
            environment: ["TIDINGS_SHORTEST_PANEL_SLEEP": "5"],
            files: ["files/news.xml": rss("First")]
        ) { system in
            try system.editConfiguration { panels + $0 }
            let port = try await system.startGateway()
            try await system.until("the board") {
                let board = try await get(port, "/boards/kitchen.json")
                return try board.status == 200 && json(board)["isCurrent"] as? Bool == true
            }
            try await body(system, port)
        }
    }

    /// Sends a request as a panel does; nil if there is no connection.
    private static func send(_ method: String, _ url: String, _ headers: [WebHeader], _ port: Int) async -> WebResponse?
    {
        let path = url.replacing("http://127.0.0.1:\(port)", with: "")
        let fields = Dictionary(headers.map { ($0.name, $0.value) }) { first, _ in first }
        guard let answer = try? await get(port, path, method: method, headers: fields) else { return nil }
        let type = answer.headers["content-type"].map { [WebHeader("Content-Type", $0)] } ?? []
        return WebResponse(status: answer.status, headers: type, body: answer.body)
    }

    private static func firmware(_ port: Int) -> ScriptedFirmware {
        var firmware = ScriptedFirmware(id: id, base: "http://127.0.0.1:\(port)")
        firmware.shortestSleep = 5
        return firmware
    }

    private func write(_ title: String, _ system: RunningSystem) throws {
        try Data(rss(title).utf8).write(to: system.file("files/news.xml"), options: .atomic)
    }

    @Test func aPanelIsPairedShowsItsBoardAndSleeps() async throws {
        try await withPanel { system, port in
            var firmware = Self.firmware(port)
            func wake() async -> Int64 {
                await firmware.wake(at: .now) { await Self.send($0, $1, $2, port) }
            }
            // Without a key, it is told what to do.
            _ = await wake()
            #expect(firmware.key.isEmpty && firmware.pixels != nil)
            _ = try await system.ask(.gateway, PanelsRequest(action: .pair))
            _ = await wake()
            let first = try await get(port, "/boards/kitchen.png").body
            #expect(!firmware.key.isEmpty && firmware.pixels == first)
            let redraws = firmware.redraws
            _ = await wake()
            #expect(firmware.redraws == redraws, "the same picture is not drawn again")

            try write("Second", system)
            try await system.until("the other picture") { try await get(port, "/boards/kitchen.png").body != first }
            #expect(await wake() >= 5)
            let second = try await get(port, "/boards/kitchen.png").body
            #expect(firmware.pixels == second)
            let report = try await system.ask(.gateway, PanelsRequest(action: .list)).result
            let entry = try #require(report.panels.first)
            #expect(entry.state == .paired && entry.redraws == 2 && entry.batteryMillivolts == 4_020)

            // A panel that was told to sleep wakes once a day, and keeps its picture.
            let until = Instant.now.advanced(by: .seconds(3 * 86_400))
            _ = try await system.ask(.gateway, PanelsRequest(action: .sleep, panel: "wall", until: until))
            try write("Third", system)
            try await system.until("the third picture") { try await get(port, "/boards/kitchen.png").body != second }
            #expect(await wake() > 80_000 && firmware.pixels == second)
            _ = try await system.ask(.gateway, PanelsRequest(action: .sleep, panel: "wall"))

            // The gateway alone answers with the last picture, also after a restart.
            _ = await wake()
            let third = firmware.pixels
            for service in ["layout", "cache"] { try await system.kill(service) }
            _ = await wake()
            try await system.kill("gateway")
            _ = try await system.startGateway(port: port)
            _ = await wake()
            try await system.kill("notifier")
            _ = await wake()
            #expect(firmware.pixels == third && firmware.faults.isEmpty, "\(firmware.faults)")
        }
    }

    @Test func aSourceIsFetchedBeforeAPanelWakesThatShowsItAndRestsOtherwise() async throws {
        try await withScriptedOrigin { origin in
            origin.serve("/blog", body: rss("First"))
            origin.serve("/ticks", body: rss("Tick"))
            let widgets = [
                "blog": "{kind: feed, source: \"\(origin.url("/blog"))\", interval: whenShown}",
                "ticks": "{kind: feed, source: \"\(origin.url("/ticks"))\"}",
            ]
            try await withPanel(widgets, panels: Self.twoBoards) { system, port in
                var firmware = Self.firmware(port)
                func wake() async -> Int64 {
                    await firmware.wake(at: .now) { await Self.send($0, $1, $2, port) }
                }
                try await system.until("the first contents") {
                    for widget in ["news", "blog"] {
                        let document = try json(await get(port, "/v1/widgets/\(widget)"))
                        guard document["hasContent"] as? Bool == true else { return false }
                    }
                    return true
                }
                let first = try await get(port, "/boards/kitchen.png").body
                let (asked, ticks) = (origin.requests("/blog").count, origin.requests("/ticks").count)
                origin.serve("/blog", body: rss("Second"))
                _ = try await system.ask(.gateway, PanelsRequest(action: .pair, panel: Self.id))

                // The panel shows another board. From these sleeps, the gateway learns how exact the panel's clock is.
                // Until then, a sleep of seconds could end at once, and the cache is not told of such a wake.
                for _ in 0..<2 {
                    let sleep = await wake()
                    await ScriptedFirmware.pause(until: .now + .seconds(sleep))
                }
                #expect(origin.requests("/ticks").count >= ticks + 5)
                #expect(origin.requests("/blog").count == asked)

                try system.editConfiguration {
                    $0.replacing("board: hall, interval: 5s", with: "board: kitchen, interval: 10s")
                }
                try await system.until("the panel's other board") {
                    let report = try await system.ask(.gateway, PanelsRequest(action: .list)).result
                    return report.panels.first?.board?.rawValue == "kitchen"
                }
                var sleep = await wake()
                var end = ContinuousClock.now + .seconds(sleep)
                #expect(firmware.pixels == first)
                #expect(await origin.waitForRequests("/blog", count: asked + 1, deadline: .seconds(sleep)))
                await ScriptedFirmware.pause(until: end)
                #expect(origin.requests("/blog").count == asked + 1)
                sleep = await wake()
                end = ContinuousClock.now + .seconds(sleep)
                let second = try await get(port, "/boards/kitchen.png").body
                #expect(firmware.pixels == second && second != first)
                let layout = try await get(port, "/widgets/blog/phone-classic.json").body
                #expect(String(decoding: layout, as: UTF8.self).contains("Second"))

                // A request for the next wake may be on its way while the panel is forgotten.
                _ = try await system.ask(.gateway, PanelsRequest(action: .forget, panel: "wall"))
                let forgotten = origin.requests("/ticks").count
                #expect(await origin.waitForRequests("/ticks", count: forgotten + 4, deadline: .seconds(20)))
                let last = origin.requests("/blog").count
                await ScriptedFirmware.pause(until: end)
                _ = await wake()
                #expect(firmware.pixels != second, "it shows that it has no key")
                // At most one tick a second: two sleeps as long as the first ones.
                #expect(await origin.waitForRequests("/ticks", count: forgotten + 14, deadline: .seconds(40)))
                #expect(origin.requests("/blog").count == last)
                #expect(firmware.faults.isEmpty, "\(firmware.faults)")
            }
        }
    }

    @Test func aPanelNeverShowsAnErrorWhileEachServiceIsKilledAndFrozen() async throws {
        let seconds = TestExtent.of(20, nightly: 1_800)
        try await withPanel { system, port in
            _ = try await system.ask(.gateway, PanelsRequest(action: .pair))
            var firmware = Self.firmware(port)
            var random = SeededGenerator(seed: 1)
            let end = ContinuousClock.now + .seconds(seconds)
            var changes = 0
            let services = ["cache", "layout", "notifier", "fetcher", "gateway", "bus"]
            var turn = 0
            while ContinuousClock.now < end {
                let sleep = await firmware.wake(at: .now) { method, url, headers in
                    if let response = await Self.send(method, url, headers, port) { return response }
                    // The firmware tries again after two seconds.
                    await ScriptedFirmware.pause(until: .now + .seconds(2))
                    return nil
                }
                #expect(firmware.faults.isEmpty, "after \(turn) disturbances: \(firmware.faults)")
                guard firmware.faults.isEmpty else { break }
                let wake = ContinuousClock.now + .seconds(min(sleep, 15))
                if random.chance(50) {
                    changes += 1
                    try write("Title \(changes)", system)
                }
                let isKilled = turn / services.count % 2 == 0
                try await disturb(services[turn % services.count], isKilled: isKilled, system, port)
                turn += 1
                await ScriptedFirmware.pause(until: wake)
            }
            try write("The last title", system)
            try await system.until("the panel shows its board") {
                _ = await firmware.wake(at: .now) { await Self.send($0, $1, $2, port) }
                let board = try await get(port, "/boards/kitchen.json")
                let picture = try await get(port, "/boards/kitchen.png").body
                return try json(board)["isCurrent"] as? Bool == true && firmware.pixels == picture
            }
            #expect(firmware.faults.isEmpty && firmware.repeatedDownloads == 0, "\(firmware.faults)")
            #expect(firmware.redraws <= changes + 3)
        }
    }

    /// Kills a service and starts it again, or suspends it for a time.
    private func disturb(_ service: String, isKilled: Bool, _ system: RunningSystem, _ port: Int) async throws {
        guard isKilled else {
            try system.freeze(service)
            await ScriptedFirmware.pause(until: .now + .seconds(4))
            return try system.signal(SIGCONT, to: service)
        }
        try await system.kill(service)
        switch service {
        case "gateway": _ = try await system.startGateway(port: port)
        case "bus": try await system.startBus(0)
        default: try await system.start(service)
        }
    }
}
