// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
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
    private static let fetching = ["fileDirectory": "./files", "interval": "1s", "minimumInterval": "1s"]

    /// Runs `body` beside all services, with a panel whose board shows the file `files/news.xml`, and a gateway.
    private func withPanel(_ body: (_ system: RunningSystem, _ port: Int) async throws -> Void) async throws {
        try await RunningSystem.with(
            ["news": "{kind: feed, source: {file: news.xml}}"],
            fetching: Self.fetching,
            environment: ["TIDINGS_SHORTEST_PANEL_SLEEP": "5"],
            files: ["files/news.xml": rss("First")]
        ) { system in
            try system.editConfiguration { Self.configuration + $0 }
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
