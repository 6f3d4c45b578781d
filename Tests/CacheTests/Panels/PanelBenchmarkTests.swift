// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import PanelSupport
import TestSupport
import Testing
import WidgetSchema

@testable import Cache
@testable import Gateway

/// Simulated weeks of a panel with this gateway, beside the same panel with the rules of other servers.
///
/// With `TIDINGS_PANEL_WEEKS` in the environment, the weeks are that many, and the figures are printed: `make bench BENCH=panels`.
@Suite(.timeLimit(.minutes(20))) struct PanelBenchmarkTests {
    /// The figures of one simulation.
    private struct Figures {
        var wakes = 0
        var downloads = 0
        var redraws = 0
        /// The number of wakes at which the board differed from the picture that the panel showed.
        var differences = 0
        var requests = 0
        /// The times from an origin's answer with other content to the panel, in milliseconds.
        var delays: [Int64] = []
        var faults: [ScriptedFirmware.Fault] = []

        /// The delay of 95 in 100 answers, in milliseconds.
        var delay: Int64 {
            delays.isEmpty ? 0 : delays.sorted()[(delays.count * 95 + 99) / 100 - 1]
        }
    }

    /// A board, and the panel that shows it.
    private struct Scenario {
        var name: String
        var sources: [PanelBoard.Source]
        var showsDay = false
        /// The interval in seconds.
        var interval: Int64 = 900
        var quietHours: QuietHours?
    }

    private static let weeks = ProcessInfo.processInfo.environment["TIDINGS_PANEL_WEEKS"].flatMap { Int64($0) }
    private static let days = weeks.map { $0 * 7 } ?? TestExtent.of(3, nightly: 7)
    /// The energy of a wake, and of a day of sleep, in mAh (usetrmnl/trmnl-firmware, README).
    private static let (wakeEnergy, sleepEnergy) = (0.186, 2.4)
    /// The time in seconds that a panel is awake.
    private static let awake = 10.5

    // MARK: Boards

    private static func source(
        _ interval: Int,
        changes: Int,
        maxAge: Int? = nil
    ) -> PanelBoard.Source {
        PanelBoard.Source(
            interval: .seconds(interval * 60),
            changes: .seconds(changes * 60),
            maxAge: maxAge.map { $0 * 60 }
        )
    }

    /// Eight feeds, the weather, a quote, documents, a JSON with max-age, and an agenda.
    private static let busy = Scenario(
        name: "8 feeds, weather, quote, documents, JSON, agenda",
        sources: [15, 15, 20, 30, 30, 45, 60, 60].map { source($0, changes: $0 * 6) }
            + [
                source(30, changes: 60), source(360, changes: 1_440), source(60, changes: 600),
                source(15, changes: 240, maxAge: 120),
            ],
        showsDay: true
    )
    private static let slow = Scenario(
        name: "quote, weather every 3 h, agenda",
        sources: [source(720, changes: 1_440), source(180, changes: 180)],
        showsDay: true
    )
    /// A panel that wakes at most 32 times a day.
    private static let seldom = Scenario(
        name: "8 feeds, a wake each 45 min, nights",
        sources: (0..<8).map { _ in source(15, changes: 90) },
        interval: 2_700,
        quietHours: QuietHours("23:00-06:30")
    )

    private static func whenShown(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        for index in scenario.sources.indices { scenario.sources[index].isFetchedWhenShown = true }
        return scenario
    }

    // MARK: A simulation

    private static func run(
        _ scenario: Scenario,
        seed: UInt64 = 1,
        _ make: (Instant) throws -> any PanelServer
    ) async throws -> Figures {
        let board = PanelBoard(scenario.sources, showsDay: scenario.showsDay, days: days, seed: seed)
        var random = SeededGenerator(seed: seed)
        // Each panel has a clock of its own, which is up to 5 % fast or slow, and scatters.
        let rate = Double.random(in: -0.05...0.05, using: &random)
        let server = try make(board.now)
        var firmware = ScriptedFirmware(
            id: GatewayPanelServer.panel,
            base: "http://server",
            key: "a key of another server",
            friendlyID: "ABC123"
        )
        var figures = Figures()
        let end = board.now.advanced(by: .seconds(days * 86_400))
        board.run(until: board.now.advanced(by: .seconds(600)))
        while board.now < end {
            if firmware.pixels != board.picture { figures.differences += 1 }
            let now = board.now
            let sleep = await firmware.wake(at: now) { method, url, headers in
                server.answer(method, url, headers, board)
            }
            if firmware.pixels == board.picture {
                figures.delays += board.see().map { now.milliseconds(since: $0) }
            }
            let drift = rate + Double.random(in: -0.003...0.003, using: &random)
            let seconds = awake + Double(sleep) * (1 + drift)
            board.run(until: now.advanced(byMilliseconds: Int64(seconds * 1_000)))
        }
        (figures.wakes, figures.downloads, figures.redraws) = (firmware.wakes, firmware.downloads, firmware.redraws)
        (figures.requests, figures.faults) = (board.requests, firmware.faults)
        return figures
    }

    private static func ours(_ scenario: Scenario, seed: UInt64 = 1) async throws -> Figures {
        let name = try #require(PanelName(rawValue: "wall"))
        let board = try #require(BoardID(rawValue: "kitchen"))
        return try await run(scenario, seed: seed) { now in
            GatewayPanelServer(
                SleepingPanel(
                    name: name,
                    id: PanelID(rawValue: GatewayPanelServer.panel),
                    board: board,
                    interval: .seconds(scenario.interval),
                    quietHours: scenario.quietHours,
                    timeZone: "GMT"
                ),
                at: now
            )
        }
    }

    private static func reference(
        _ scenario: Scenario,
        _ rule: IntervalServer.Rule,
        seed: UInt64 = 1
    ) async throws -> Figures {
        // Other servers wake a panel each 15 minutes.
        try await run(scenario, seed: seed) { _ in IntervalServer(rule, interval: 900) }
    }

    private static func show(_ scenario: Scenario, _ rule: String, _ figures: Figures) {
        guard weeks != nil else { return }
        func perDay(_ count: Int) -> String { String(format: "%7.1f", Double(count) / Double(days)) }
        let energy = Double(figures.wakes) / Double(days) * wakeEnergy + sleepEnergy
        print(
            "\(scenario.name) | \(rule) | wakes \(perDay(figures.wakes)), downloads \(perDay(figures.downloads)), redraws "
                + "\(perDay(figures.redraws)), \(String(format: "%5.1f", energy)) mAh, requests \(perDay(figures.requests)) "
                + "a day; delay p95 \(String(format: "%5.1f", Double(figures.delay) / 60_000)) min"
        )
    }

    // MARK: The wanted figures

    /// Runs the references and our rules, and checks what must hold for each board.
    private func compare(_ scenario: Scenario) async throws -> (timer: Figures, ours: Figures) {
        var timer = Figures()
        for rule in IntervalServer.Rule.allCases {
            let figures = try await Self.reference(scenario, rule)
            if rule == .newNames { timer = figures }
            Self.show(scenario, rule.rawValue, figures)
        }
        let ours = try await Self.ours(scenario)
        Self.show(scenario, "Tidings", ours)
        #expect(ours.faults.isEmpty, "\(Set(ours.faults))")
        #expect(ours.redraws == ours.differences && ours.downloads == ours.redraws)
        #expect(ours.wakes <= timer.wakes, "\(ours.wakes) of \(timer.wakes)")
        return (timer, ours)
    }

    @Test func aBusyBoardNeverWakesItsPanelMoreOftenThanATimer() async throws {
        let (timer, ours) = try await compare(Self.busy)
        #expect(ours.redraws <= timer.redraws && ours.requests <= timer.requests * 11 / 10)
        var nights = Self.busy
        nights.quietHours = QuietHours("23:00-06:30")
        let rested = try await Self.ours(nights)
        Self.show(nights, "Tidings, quiet at night", rested)
        #expect(rested.faults.isEmpty && rested.wakes <= timer.wakes)
    }

    @Test func aBoardWithFewSlowSourcesWakesItsPanelAtLeastThreeTimesLessOften() async throws {
        let (timer, ours) = try await compare(Self.slow)
        #expect(ours.wakes * 3 <= timer.wakes, "\(ours.wakes) of \(timer.wakes)")
    }

    @Test func sourcesThatAreFetchedWhenTheyAreShownArriveSoonAfterTheirAnswer() async throws {
        let scenario = Self.whenShown(Self.busy)
        let timer = try await Self.reference(Self.busy, .newNames)
        let ours = try await Self.ours(scenario)
        Self.show(scenario, "Tidings, whenShown", ours)
        #expect(ours.faults.isEmpty && ours.wakes <= timer.wakes)
        #expect(ours.delay * 3 <= 855_000, "\(ours.delay) ms")
    }

    @Test func sourcesThatAreFetchedWhenTheyAreShownAreAskedThreeTimesLessOftenByAPanelThatWakesSeldom() async throws {
        let timer = try await Self.reference(Self.seldom, .newNames)
        Self.show(Self.seldom, IntervalServer.Rule.newNames.rawValue, timer)
        let ours = try await Self.ours(Self.whenShown(Self.seldom))
        Self.show(Self.seldom, "Tidings, whenShown", ours)
        #expect(ours.faults.isEmpty && Int64(ours.wakes) <= 32 * Self.days)
        #expect(ours.requests * 3 <= timer.requests, "\(ours.requests) of \(timer.requests)")
    }
}
