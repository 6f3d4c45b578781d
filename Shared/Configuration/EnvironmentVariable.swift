// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import CommandOptions

/// An environment variable that the executables read.
public enum EnvironmentVariable: String, CaseIterable, Sendable {
    case config = "TIDINGS_CONFIG"
    case bus = "TIDINGS_BUS"
    case store = "TIDINGS_STORE"
    case gateway = "TIDINGS_GATEWAY"
    case listen = "TIDINGS_LISTEN"
    case instance = "TIDINGS_INSTANCE"
    case logLevel = "TIDINGS_LOG_LEVEL"
    case logFormat = "TIDINGS_LOG_FORMAT"
    case files = "TIDINGS_FILES"
    case allowedAddresses = "TIDINGS_ALLOW_ADDRESSES"
    case busMemory = "TIDINGS_BUS_MEMORY"
    case busSubscriptions = "TIDINGS_BUS_SUBSCRIPTIONS"
    case busSubscriptionsOfAll = "TIDINGS_BUS_ALL_SUBSCRIPTIONS"
    case stopWithInput = "TIDINGS_STOP_WITH_INPUT"
    case standby = "TIDINGS_STANDBY"
    case storeLease = "TIDINGS_STORE_LEASE"
    case expectedStandbys = "TIDINGS_EXPECTED_STANDBYS"

    /// The prefix of the project's variables; an unknown variable with this prefix causes a warning.
    public static let prefix = "TIDINGS_"

    public var name: String { rawValue }

    /// Returns the value in `environment`; nil if the variable is missing or empty.
    public func value(in environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a whole number: that of `option`, or else the value in `environment`; nil if both are missing.
    ///
    /// Throws if the text is no whole number within `range`.
    public func integer(
        _ options: ParsedOptions,
        _ option: Option,
        in range: ClosedRange<Int>,
        environment: [String: String]
    ) throws(UsageError) -> Int? {
        if let number = try options.integer(option.name, in: range) { return number }
        guard let text = value(in: environment) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw options.wrongUse(
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
            )
        }
        return number
    }

    private var help: String {
        switch self {
        case .config: "The configuration file; --config overrides it."
        case .bus:
            "The bus's address: tcp://HOST:PORT or ipc://FOLDER; for two buses, both addresses separated by a comma."
        case .store: "The folder of the stores, or postgresql://USER@HOST/DATABASE."
        case .gateway: "Where the gateway listens: HOST:PORT (default: 127.0.0.1:8080)."
        case .listen:
            "The address on which clients reach the gateway, such as 0.0.0.0; reads need a token unless it is of "
                + "loopback. In a container, it is the address of the published port."
        case .instance: "The name of this process (default: HOSTNAME-PID)."
        case .logLevel: "trace, debug, info, notice, warning or error (default: info)."
        case .logFormat: "text or json (default: text)."
        case .files: "The folder of file sources, instead of fetching.fileDirectory; --files overrides it."
        case .allowedAddresses:
            "Comma-separated addresses that a fetcher may request although they are private or reserved, "
                + "such as 169.254.169.254."
        case .busMemory: "The memory in MiB at which a bus exits; --memory overrides it."
        case .busSubscriptions:
            "The maximum number of subscriptions of one connection to a bus; --subscriptions overrides it."
        case .busSubscriptionsOfAll:
            "The maximum number of subscriptions of all connections to a bus; --all-subscriptions overrides it."
        case .stopWithInput: "1: stop when standard input ends, so that a child does not outlive its parent."
        case .standby: "1: a cache or notifier waits while another instance owns the store, as with --standby."
        case .storeLease:
            "The seconds without a renewal after which a standby takes over (default: 3); --store-lease overrides it."
        case .expectedStandbys:
            "The expected number of standbys (--expected-standbys overrides it); health raises an alarm if there are "
                + "fewer."
        }
    }

    /// The variables that only compose files, the Caddyfile, `make` and scripts read.
    ///
    /// They are often exported in the shell in which a command runs, so they cause no warning.
    static let ofDeployment = [
        "TIDINGS_ADMIN", "TIDINGS_BENCH_WIDGETS", "TIDINGS_DATABASE_IMAGE", "TIDINGS_DATABASE_PASSWORD",
        "TIDINGS_DOMAIN", "TIDINGS_FETCHERS", "TIDINGS_GATEWAY_PORT", "TIDINGS_IMAGE", "TIDINGS_LAYOUTS",
        "TIDINGS_MEMORY", "TIDINGS_NIGHTLY", "TIDINGS_PANEL_WEEKS", "TIDINGS_REQUEST_PORT", "TIDINGS_SECRETS",
        "TIDINGS_SHORTEST_PANEL_SLEEP", "TIDINGS_SIMULATION_CYCLES",
        "TIDINGS_SIMULATION_FROM", "TIDINGS_SIMULATION_SEEDS", "TIDINGS_SIMULATION_VARIANT", "TIDINGS_SUBSCRIBE_PORT",
        "TIDINGS_TESTS", "TIDINGS_TLS", "TIDINGS_TWO_HOSTS_NAMESPACE", "TIDINGS_UPSTREAM",
    ]

    /// The list of all variables for a help text, with a heading.
    public static var help: String {
        "Environment:\n" + OptionTable.rows(allCases.map { ("  \($0.name)", $0.help) }).dropLast()
    }
}
