// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import CommandLineTool

@Suite struct HealthTableTests {
    @Test(arguments: [(-5, "0s"), (59_999, "59s"), (60_000, "1m"), (7_200_000, "2h"), (9 * 86_400_000, "9d")])
    func agesAreInTheLargestUnit(_ milliseconds: Int64, _ text: String) {
        #expect(HealthTable.age(milliseconds) == text)
    }

    @Test func rowsFitATerminal() throws {
        let instance = try #require(InstanceName(rawValue: String(repeating: "i", count: 128)))
        let message = String(repeating: "m", count: 200)
        let health = Health(state: .degraded, message: message, version: "0.1.0", startedAt: Instant(milliseconds: 0))
        let answer = HealthAnswer(service: .notifier, instance: instance, health: health)
        let table = HealthTable(Terminal(columns: 80, style: .plain), instances: [answer])
        let lines = table.row(answer, at: Instant(milliseconds: 61_000)).split(separator: "\n")
        #expect(lines.map(\.count).max() == 80)
        #expect(lines.count == 2)
        #expect(table.missing(.cache).hasPrefix("cache     -"))
    }

    @Test func aNarrowTerminalHasTheMessageBelowTheRow() throws {
        let instance = try #require(InstanceName(rawValue: String(repeating: "i", count: 128)))
        let message = "Changed keys wait for a restart of the gateway: gateway.listen, gateway.basePath"
        let health = Health(state: .degraded, message: message, version: "0.1.0", startedAt: Instant(milliseconds: 0))
        let answer = HealthAnswer(service: .gateway, instance: instance, health: health)
        let table = HealthTable(Terminal(columns: 50, style: .plain), instances: [answer])
        let lines = table.row(answer, at: Instant(milliseconds: 61_000)).split(separator: "\n")
        #expect(lines.count == 3)
        for line in lines { #expect(line.count <= 50, "\(line)") }
        #expect(lines.dropFirst().map { $0.trimmingPrefix("  ") }.joined(separator: " ") == message)
    }

    @Test func theRoleTellsSinceWhenAnInstanceIsActive() {
        var health = Health(state: .ready, version: "0.1.0", startedAt: Instant(milliseconds: 0))
        #expect(HealthTable.role(health, at: Instant(milliseconds: 61_000)) == nil)
        (health.role, health.activeSince) = (.active, Instant(milliseconds: 1000))
        #expect(HealthTable.role(health, at: Instant(milliseconds: 61_000)) == "active for 1m")
        health.role = .standby
        #expect(HealthTable.role(health, at: Instant(milliseconds: 61_000)) == "standby")
    }
}
