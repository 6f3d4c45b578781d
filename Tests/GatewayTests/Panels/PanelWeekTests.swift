// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import PanelSupport
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Gateway

/// Weeks of a panel with a gateway that is killed, moved and restored, with boards that change and cannot be drawn for a time,
/// services that stand still, and a disk that fails.
@Suite(.timeLimit(.minutes(20))) struct PanelWeekTests {
    /// A week of a panel: its world, and what was counted in it.
    private struct Week {
        var world: PanelWorld
        var firmware: ScriptedFirmware
        var generator: SeededGenerator
        let schedule: Schedule
        /// The error of the panel's clock, which stays as it is.
        let clockError: Double
        var changes = 0
        var restores = 0
        var stale = 0

        mutating func chance(perMille: Int) -> Bool { Int.random(in: 0..<1_000, using: &generator) < perMille }
    }

    /// The times at which a panel wakes without any knowledge.
    private struct Schedule {
        var entry: String
        /// The interval in seconds.
        var interval: Int64
        var isQuietAtNight = false

        static let all = [
            Schedule(entry: "interval: 15m", interval: 900),
            Schedule(entry: "interval: 15m, quietHours: \"23:00-06:30\"", interval: 900, isQuietAtNight: true),
            Schedule(entry: "interval: 1h", interval: 3_600),
            Schedule(entry: "interval: 5m", interval: 300),
        ]
    }

    /// The maximum time in which the gateway waits for a picture.
    private static let timeout: Duration = .seconds(1)

    /// The pictures before the first change: what to do, and the board.
    private static let firstDownloads = 2
    private static let secondsOfWeek: Int64 = 7 * 86_400

    @Test(arguments: 0..<TestExtent.of(12, nightly: 500))
    func aPanelNeverShowsAnErrorAndRedrawsOnlyWhatChanged(seed: Int) async throws {
        var week = try await started(seed: UInt64(seed))
        let end = week.world.now.advanced(by: .seconds(Self.secondsOfWeek))
        while week.world.now < end {
            try await disturb(&week)
            let sleep = try await wake(&week)
            #expect(week.firmware.faults.isEmpty, "seed \(seed): \(week.firmware.faults)")
            guard week.firmware.faults.isEmpty else { return }
            check(week, sleep, seed: seed)
            // The sleeps of a panel differ by less than its clock is wrong.
            let drift = 1 + week.clockError + Double.random(in: -0.003...0.003, using: &week.generator)
            week.world.advance(by: Int64((Double(sleep) * drift).rounded()))
        }
        try await week.world.repairDisk()
        week.world.stage.scene.withLock { ($0.isFrozen, $0.layoutIsDown) = (false, false) }
        #expect(week.stale == 0, "seed \(seed): the panel showed an old picture after a wake")
        let entry = try week.world.wall()
        #expect(entry.state == .paired && entry.wakes > 0)
        // A restored gateway tells the picture that the panel shows under an earlier name, and then, if that is older than a day,
        // under a new one: two downloads.
        #expect(week.firmware.repeatedDownloads <= 2 * week.restores)
        #expect(week.firmware.downloads <= week.changes + 2 * week.restores + Self.firstDownloads)
        // Each panel has a record and a picture, whatever was torn.
        week.world.restart()
        _ = try await wake(&week)
        #expect(week.world.fileNames.filter { $0.hasSuffix(".png") }.count == 1)
        #expect(week.world.fileNames.filter { $0.hasSuffix(".new") }.isEmpty)
    }

    /// Checks a sleep: only a certain change that is to come wakes a panel before its interval, and one whose board cannot be drawn
    /// does not sleep longer.
    private func check(_ week: Week, _ sleep: Int64, seed: Int) {
        guard week.firmware.failures == 0, !week.schedule.isQuietAtNight else { return }
        let (scene, interval) = (week.world.stage.scene.withLock { $0 }, week.schedule.interval)
        let isUnknown = scene.layoutIsDown || scene.isFrozen
        let latest = scene.changes.certain.map { $0.advanced(by: .seconds(60)) }
        if isUnknown || latest.map({ $0 <= scene.now }) ?? true {
            #expect(sleep >= interval, "seed \(seed): a wake after \(sleep) s")
        }
        if isUnknown {
            // A fast clock is told more than the interval.
            #expect(sleep <= interval * 11 / 10 + 60, "seed \(seed): a sleep of \(sleep) s")
        }
    }

    /// Returns a week whose panel is paired and shows its board.
    private func started(seed: UInt64) async throws -> Week {
        var generator = SeededGenerator(seed: seed)
        let schedule = Schedule.all[Int.random(in: 0..<Schedule.all.count, using: &generator)]
        let clockError = Double.random(in: -0.05...0.05, using: &generator)
        let world = try PanelWorld(PanelWorld.text(schedule.entry), timeout: Self.timeout)
        // Some panels come from another server with a key of its own.
        let hasKey = generator.chance(50)
        let firmware = ScriptedFirmware(
            id: PanelWorld.id,
            base: "http://192.168.1.10:8080",
            key: hasKey ? "a key of another server" : "",
            friendlyID: hasKey ? "ABC123" : ""
        )
        try world.paint("kitchen", "first")
        try world.paint("hall", "hall")
        var week = Week(
            world: world,
            firmware: firmware,
            generator: generator,
            schedule: schedule,
            clockError: clockError
        )
        // Before it is paired, the panel shows what to do.
        _ = try await wake(&week, mayFail: false)
        #expect(week.firmware.faults.isEmpty && week.firmware.pixels != nil)
        #expect(try world.wall().state == .unpaired)
        try world.pair()
        _ = try await wake(&week, mayFail: false)
        #expect(week.firmware.faults.isEmpty)
        #expect(week.firmware.pixels == PanelWorld.png("first"))
        week.world.advance(by: 900)
        return week
    }

    /// Changes the boards, and disturbs the gateway and the panel.
    private func disturb(_ week: inout Week) async throws {
        let world = week.world
        try await disturbDisk(&week)
        if week.chance(perMille: 150) {
            week.changes += 1
            // A board may return to what it showed before.
            try world.paint("kitchen", "picture \(Int.random(in: 0..<40, using: &week.generator))")
        }
        if week.chance(perMille: 10) {
            week.firmware.losePower()
        }
        if week.chance(perMille: 5), try world.restore() {
            week.restores += 1
            week.firmware.noteRestore()
        }
        if week.chance(perMille: 5) {
            // The gateway moves to another machine with its files; the panel is told the new address.
            world.restart()
            week.firmware.base = "http://10.0.0.\(Int.random(in: 1..<255, using: &week.generator)):8080"
        }
        if week.chance(perMille: 20) { world.stage.scene.withLock { $0.layoutIsDown.toggle() } }
        // All services stand still, until the next wake at the latest.
        let isFrozen = week.chance(perMille: 1)
        world.stage.scene.withLock { $0.isFrozen = isFrozen }
        if week.chance(perMille: 100) {
            let later = world.now.advanced(by: .seconds(Int64.random(in: 0...36_000, using: &week.generator)))
            let possible: [PanelWake.PossibleChange] = [.anyTime, .never, .attempt(later)]
            let chosen = possible[Int.random(in: 0..<possible.count, using: &week.generator)]
            // The next certain change stays that of the last cycle while the cache is down.
            let certain = week.chance(perMille: 300) ? later : nil
            world.stage.scene.withLock { $0.changes = BoardChanges(certain: certain, possible: [chosen]) }
        }
    }

    /// Tears and copies the files of the gateway, or lets its disk fail for a time.
    private func disturbDisk(_ week: inout Week) async throws {
        let world = week.world
        if world.diskFails {
            guard week.chance(perMille: 200) else { return }
            // A download that could not be recorded counts as none, as after a restore.
            week.restores += 1
            week.firmware.noteRestore()
            return try await world.repairDisk()
        }
        if week.chance(perMille: 10) { try world.tearFiles() }
        if week.chance(perMille: 10) { try world.backUp() }
        if week.chance(perMille: 1) { try world.failDisk() }
    }

    /// Runs a wake, in which the gateway may end before and after each request, or stand still.
    private func wake(_ week: inout Week, mayFail: Bool = true) async throws -> Int64 {
        let (world, id) = (week.world, try #require(BoardID(rawValue: "kitchen")))
        let before = world.stage.scene.withLock { $0.pictures[id] }
        let isDisturbed = world.diskFails || world.stage.scene.withLock { $0.layoutIsDown || $0.isFrozen }
        let started = ContinuousClock.now
        var generator = week.generator
        var failures = 0
        let failuresBefore = week.firmware.failures
        let sleep = await week.firmware.wake(at: world.now) { method, url, headers in
            // At most three failed wakes in a row: after the fourth one, the firmware shows an error.
            let canFail = mayFail && failures < 3 && failuresBefore < 3
            let fate = Int.random(in: 0..<100, using: &generator)
            if canFail, fate < 3 {
                failures += 1
                // The gateway ends before it has the request, and starts again.
                world.restart()
                return nil
            }
            let response = await world.send(method, url, headers)
            if canFail, fate < 8, url.hasSuffix("/api/display") {
                failures += 1
                // The gateway ends when everything is stored, before the panel has the answer, or it stands still until then.
                if fate < 6 { world.restart() }
                return nil
            }
            return response
        }
        week.generator = generator
        // A machine that is too slow for the test has the last picture, too.
        let isLate = ContinuousClock.now - started >= Self.timeout
        let mustBeCurrent = mayFail && failures == 0 && week.firmware.failures == 0 && !isDisturbed && !isLate
        if mustBeCurrent, week.firmware.pixels != before { week.stale += 1 }
        return sleep
    }

    // MARK: Sleep

    @Test func aPanelThatIsToldToSleepKeepsItsPictureAndWakesOnceADay() async throws {
        var week = try await started(seed: 1)
        let world = week.world
        let until = world.now.advanced(by: .seconds(3 * 86_400))
        _ = world.panels.answer(
            .request(PanelsRequest(action: .sleep, panel: "wall", until: until)),
            at: world.now
        )
        let (downloads, redraws) = (week.firmware.downloads, week.firmware.redraws)
        var wakes = 0
        while world.now < until {
            try world.paint("kitchen", "later \(wakes)")
            let sleep = try await wake(&week, mayFail: false)
            #expect(sleep == min(86_400, max(300, until.milliseconds(since: world.now) / 1_000)))
            world.advance(by: sleep)
            wakes += 1
        }
        #expect(wakes == 3)
        #expect(week.firmware.downloads == downloads && week.firmware.redraws == redraws)
        _ = try await wake(&week, mayFail: false)
        #expect(week.firmware.pixels == PanelWorld.png("later 2") && week.firmware.faults.isEmpty)
    }

    @Test func aPictureThatStaysForDaysIsLoadedOnce() async throws {
        var week = try await started(seed: 2)
        let downloads = week.firmware.downloads
        for _ in 0..<300 {
            week.world.advance(by: try await wake(&week, mayFail: false))
        }
        #expect(week.firmware.downloads == downloads && week.firmware.faults.isEmpty)
    }

    @Test func quietHoursAreSleptThrough() async throws {
        // 2025-11-30, 22:50 in Berlin.
        let start = try #require(Instant("2025-11-30T21:50:00Z"))
        let world = try PanelWorld(PanelWorld.text("quietHours: \"23:00-06:30\""), at: start)
        try world.paint("kitchen", "evening")
        try world.pair()
        var firmware = ScriptedFirmware(id: PanelWorld.id, base: "http://192.168.1.10:8080")
        let sleep = await firmware.wake(at: world.now) { await world.send($0, $1, $2) }
        // A clock that is not known yet may be some percent fast, and the panel must not wake before the end.
        let end = try #require(Instant("2025-12-01T05:30:00Z"))
        let wake = world.now.advanced(by: .seconds(sleep))
        #expect(wake > end.advanced(by: .seconds(sleep / 20)) && wake < end.advanced(by: .seconds(sleep / 10)))
    }
}
