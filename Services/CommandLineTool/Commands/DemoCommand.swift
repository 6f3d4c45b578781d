// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import ServiceRuntime
import Telemetry
import WidgetSchema

/// `tidings demo`: runs the whole system with its own origin, and shows a growing table of updates.
enum DemoCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings demo",
        summary: "Shows the whole system at work on a small blog of its own.",
        options: [
            Option("seconds", short: "s", value: "N", help: "End after N seconds (default: with Ctrl-C)."),
            Option("port", short: "p", value: "PORT", help: "Where the blog is served (default: a free port)."),
            Option(
                "bus",
                short: "b",
                value: "ADDRESS",
                help:
                    "Where the bus listens (default: TIDINGS_BUS, else \(TidingsConfiguration.Bus.defaultAddress) if it "
                    + "is free, else ports that the system picks)."
            ),
        ],
        notes: "All files are in a temporary folder, which is removed at the end."
    )

    static let seconds = 1...86_400
    static let ports = 1...65_535

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        ServiceProcess.prepareSignals()
        let seconds = try options.integer("seconds", in: seconds)
        let port = try options.integer("port", in: ports) ?? 0
        let named = options.value("bus") ?? EnvironmentVariable.bus.value(in: environment)
        let bus = try named.map(checked) ?? DemoBus.preferredAddress()
        let level = EnvironmentVariable.logLevel.value(in: environment).flatMap(LogLevel.init(rawValue:)) ?? .warning
        let log = Logger(label: "demo", minimumLevel: level)
        let gateway = EnvironmentVariable.gateway.value(in: environment)
        let demo = Demo(
            bus: bus,
            gateway: try gateway.map(checkedGateway) ?? DemoBus.gatewayAddress(host: listeningHost(environment)),
            port: port,
            environment: environment,
            level: level,
            log: log
        )
        let stop = StopSignal()
        let control = ProcessControl(stop: stop, deadline: UpCommand.stopTimeout)
        ServiceProcess.run(control, log: log, environment: environment) {
            let timer = seconds.map { seconds in
                Task {
                    try await Task.sleep(for: .seconds(seconds))
                    stop.stop()
                }
            }
            defer { timer?.cancel() }
            try await demo.run(until: stop)
        }
    }

    private static func checkedGateway(_ text: String) throws -> String {
        var gateway = TidingsConfiguration.Gateway()
        if let problem = gateway.take(address: text) {
            throw CommandFailure(.wrongUse, "\(EnvironmentVariable.gateway.name): \(problem).")
        }
        return text
    }

    /// Returns the host of `TIDINGS_LISTEN`, or else the default; throws if it is invalid.
    private static func listeningHost(_ environment: [String: String]) throws -> String {
        let name = EnvironmentVariable.listen.name
        var gateway = TidingsConfiguration.Gateway()
        if let text = environment[name], !text.isEmpty, let problem = gateway.take(publishedHost: text, listens: true) {
            throw CommandFailure(.wrongUse, "\(name): \(problem).")
        }
        return gateway.host
    }

    private static func checked(_ text: String) throws -> String {
        do throws(BusAddressError) {
            _ = try BusAddress(text)
            return text
        } catch {
            throw CommandFailure(.wrongUse, "\(error).")
        }
    }
}
