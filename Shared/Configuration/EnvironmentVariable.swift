// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import WidgetSchema

/// The name and the help text of an environment variable that the executables read.
public struct EnvironmentVariable: Sendable, Equatable {
    /// The prefix of the project's variables; an unknown variable with this prefix causes a warning.
    public static let prefix = "TIDINGS_"

    public var name: String
    public var help: String

    public static let config = EnvironmentVariable(
        name: "TIDINGS_CONFIG",
        help: "The configuration file; --config overrides it."
    )
    public static let bus = EnvironmentVariable(
        name: "TIDINGS_BUS",
        help: "The bus's address: tcp://HOST:PORT or ipc://FOLDER; for two buses, both addresses separated by a comma."
    )
    public static let store = EnvironmentVariable(
        name: "TIDINGS_STORE",
        help: "The folder of the stores, or postgresql://USER@HOST/DATABASE."
    )
    public static let gateway = EnvironmentVariable(
        name: "TIDINGS_GATEWAY",
        help: "Where the gateway listens: HOST:PORT (default: 127.0.0.1:8080)."
    )
    public static let listen = EnvironmentVariable(
        name: "TIDINGS_LISTEN",
        help: "The address on which clients reach the gateway, such as 0.0.0.0; reads need a token unless it is of "
            + "loopback. In a container, it is the address of the published port."
    )
    public static let instance = EnvironmentVariable(
        name: InstanceName.variable,
        help: "The name of this process (default: HOSTNAME-PID)."
    )
    public static let logLevel = EnvironmentVariable(
        name: "TIDINGS_LOG_LEVEL",
        help: "trace, debug, info, notice, warning or error (default: info)."
    )
    public static let logFormat = EnvironmentVariable(
        name: "TIDINGS_LOG_FORMAT",
        help: "text or json (default: text)."
    )
    public static let files = EnvironmentVariable(
        name: "TIDINGS_FILES",
        help: "The folder of file sources, instead of fetching.fileDirectory; --files overrides it."
    )
    public static let allowedAddresses = EnvironmentVariable(
        name: "TIDINGS_ALLOW_ADDRESSES",
        help: "Comma-separated addresses that a fetcher may request although they are private or reserved, "
            + "such as 169.254.169.254."
    )
    public static let busMemory = EnvironmentVariable(
        name: "TIDINGS_BUS_MEMORY",
        help: "The memory in MiB at which a bus exits; --memory overrides it."
    )
    public static let busSubscriptions = EnvironmentVariable(
        name: "TIDINGS_BUS_SUBSCRIPTIONS",
        help: "The maximum number of subscriptions of one connection to a bus; --subscriptions overrides it."
    )
    public static let busSubscriptionsOfAll = EnvironmentVariable(
        name: "TIDINGS_BUS_ALL_SUBSCRIPTIONS",
        help: "The maximum number of subscriptions of all connections to a bus; --all-subscriptions overrides it."
    )
    public static let stopWithInput = EnvironmentVariable(
        name: "TIDINGS_STOP_WITH_INPUT",
        help: "1: stop when standard input ends, so that a child does not outlive its parent."
    )

    public static let standby = EnvironmentVariable(
        name: "TIDINGS_STANDBY",
        help: "1: a cache or notifier waits while another instance owns the store, as with --standby."
    )
    public static let storeLease = EnvironmentVariable(
        name: "TIDINGS_STORE_LEASE",
        help: "The seconds without a renewal after which a standby takes over (default: 3); --store-lease "
            + "overrides it."
    )
    public static let expectedStandbys = EnvironmentVariable(
        name: "TIDINGS_EXPECTED_STANDBYS",
        help: "The expected number of standbys (--expected-standbys overrides it); health raises an alarm if there "
            + "are fewer."
    )

    public static let all = [
        config, bus, store, gateway, listen, instance, logLevel, logFormat, files, allowedAddresses, busMemory,
        busSubscriptions, busSubscriptionsOfAll, stopWithInput, standby, storeLease, expectedStandbys,
    ]

    /// The variables that only compose files, the Caddyfile, `make` and scripts read.
    ///
    /// They are often exported in the shell in which a command runs, so they cause no warning.
    static let ofDeployment = [
        "TIDINGS_ADMIN", "TIDINGS_BENCH_WIDGETS", "TIDINGS_DATABASE_IMAGE", "TIDINGS_DATABASE_PASSWORD",
        "TIDINGS_DOMAIN", "TIDINGS_FETCHERS", "TIDINGS_GATEWAY_PORT", "TIDINGS_IMAGE", "TIDINGS_LAYOUTS",
        "TIDINGS_MEMORY", "TIDINGS_NIGHTLY", "TIDINGS_REQUEST_PORT", "TIDINGS_SECRETS", "TIDINGS_SIMULATION_CYCLES",
        "TIDINGS_SIMULATION_FROM", "TIDINGS_SIMULATION_SEEDS", "TIDINGS_SIMULATION_VARIANT", "TIDINGS_SUBSCRIBE_PORT",
        "TIDINGS_TLS", "TIDINGS_TWO_HOSTS_NAMESPACE", "TIDINGS_UPSTREAM",
    ]

    /// The list of all variables for a help text, with a heading.
    public static var help: String {
        "Environment:\n" + OptionTable.rows(all.map { ("  \($0.name)", $0.help) }).dropLast()
    }
}
