// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import CommandOptions
import Configuration

/// The settings for the standbys of a service with a store.
public struct StandbySettings: Hashable, Sendable {
    public static let standbyOption = Option(
        "standby",
        help: "Wait while another instance owns the store, and take over when that instance is gone "
            + "(default: TIDINGS_STANDBY)."
    )
    public static let leaseOption = Option(
        "store-lease",
        value: "SECONDS",
        help: "Take over if the owner has not renewed its lease for SECONDS (default: TIDINGS_STORE_LEASE, else 3)."
    )
    public static let expectedOption = Option(
        "expected-standbys",
        value: "N",
        help: "Raise an alarm while fewer than N standbys wait (default: TIDINGS_EXPECTED_STANDBYS, else 1 with "
            + "--standby)."
    )
    public static let options = [standbyOption, leaseOption, expectedOption]

    /// The valid durations of a lease in seconds.
    ///
    /// The minimum is long enough for a busy owner to renew its lease in time.
    public static let leaseRange = 2...300
    /// The maximum value of `expectedStandbys`.
    public static let maximumStandbys = 16

    /// A Boolean value that indicates whether the process waits as a standby while another process owns the store.
    public var waits = false
    /// The time without a renewal by the owner after which a standby takes over the store; nil for the store's default.
    public var lease: Duration?
    /// The number of standbys that should be live; if there are fewer, the active instance reports an alarm.
    public var expectedStandbys = 0
}

extension StandbySettings {
    /// Reads each setting from the command line, or from `environment` if its option is missing.
    ///
    /// Throws a `UsageError` if a value is invalid.
    public init(_ options: ParsedOptions, environment: [String: String]) throws(UsageError) {
        func integer(
            _ option: Option,
            _ variable: EnvironmentVariable,
            _ range: ClosedRange<Int>
        ) throws(UsageError) -> Int? {
            try variable.integer(options, option, in: range, environment: environment)
        }
        let variable = EnvironmentVariable.standby
        let standby = variable.value(in: environment) ?? "0"
        guard standby == "0" || standby == "1" else {
            throw options.wrongUse("\(variable.name) must be 0 or 1, not '\(standby)'")
        }
        waits = options.has(Self.standbyOption.name) || standby == "1"
        lease = try integer(Self.leaseOption, .storeLease, Self.leaseRange).map { .seconds($0) }
        expectedStandbys =
            try integer(Self.expectedOption, .expectedStandbys, 0...Self.maximumStandbys) ?? (waits ? 1 : 0)
    }
}
