// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Testing

@testable import ServiceRuntime

@Suite struct StandbySettingsTests {
    private func settings(_ arguments: [String], _ environment: [String: String] = [:]) throws -> StandbySettings {
        let table = OptionTable(command: "cache", summary: "", options: StandbySettings.options)
        return try StandbySettings(try table.parse(arguments), environment: environment)
    }

    @Test func withoutOptionsAProcessTakesOverAtOnceAndExpectsNoStandby() throws {
        #expect(try settings([]) == StandbySettings())
        #expect(try settings([], ["TIDINGS_STANDBY": "0"]) == StandbySettings())
    }

    @Test func aStandbyExpectsAnotherOne() throws {
        #expect(try settings(["--standby"]) == StandbySettings(waits: true, expectedStandbys: 1))
        let environment = ["TIDINGS_STANDBY": "1", "TIDINGS_STORE_LEASE": "9", "TIDINGS_EXPECTED_STANDBYS": "2"]
        let expected = StandbySettings(waits: true, lease: .seconds(9), expectedStandbys: 2)
        #expect(try settings([], environment) == expected)
        let options = ["--store-lease", "4", "--expected-standbys", "0"]
        #expect(try settings(options, environment) == StandbySettings(waits: true, lease: .seconds(4)))
    }

    @Test(arguments: [
        ("TIDINGS_STANDBY", "yes"), ("TIDINGS_STORE_LEASE", "1"), ("TIDINGS_STORE_LEASE", "3s"),
        ("TIDINGS_EXPECTED_STANDBYS", "-1"), ("TIDINGS_EXPECTED_STANDBYS", "17"),
    ])
    func aWrongValueIsNamed(_ variable: String, _ value: String) throws {
        let error = #expect(throws: UsageError.self) { try settings([], [variable: value]) }
        #expect(error.map { "\($0)" }?.contains("\(variable) must be") == true)
    }
}
