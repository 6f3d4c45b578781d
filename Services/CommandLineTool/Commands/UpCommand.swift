// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import ServiceRuntime
import Telemetry
import Text
import WidgetSchema

/// `tidings up`: runs services on this machine as child processes.
enum UpCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings up",
        summary: "Runs all services on this machine, restarts dead ones and replaces frozen ones.",
        operands: [
            Operand(
                "SERVICE",
                choices: ServiceName.chain.map(\.rawValue),
                isOptional: true,
                isRepeatable: true,
                help: "Run only these services, with a bus that another process runs, as in containers (default: all)."
            )
        ],
        options: [.config],
        notes: """
            Arguments after '--' are passed to the one named service:
            'tidings up gateway -- --open-reads'.

            Prints 'ready tidings …' when all services are ready, or the ready line of each
            named service. SIGHUP reloads the configuration. SIGTERM or Ctrl-C stops the
            services in order.

            \(EnvironmentVariable.help)
            """
    )

    /// The maximum time for stopping all six services one after another, even if one of them must be killed.
    static let stopTimeout: Duration = .seconds(18)

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        ServiceProcess.prepareSignals()
        let names = options.operands.prefix { !$0.hasPrefix("-") }
        let arguments = Array(options.operands.dropFirst(names.count))
        let services = try services(Array(names))
        guard arguments.isEmpty || names.count == 1 else {
            throw wrongUse("options after '--' are allowed only with exactly one service")
        }
        var needed: NeededSecrets = services.contains(.cache) ? .ofSources : []
        if services.contains(.delivery) { needed.insert(.ofDestinations) }
        let configuration = try options.configuration(environment, needsSecrets: needed)
        try check(configuration, services)
        let log = Logger(label: "up", minimumLevel: configuration.log.level, format: configuration.log.format)
        var environment = environment
        if let file = configuration.file { environment[EnvironmentVariable.config.name] = file }
        if let files = configuration.fetching.fileDirectory, environment[EnvironmentVariable.files.name] == nil {
            environment[EnvironmentVariable.files.name] = URL(filePath: files).path
        }
        // A single service gets the instance name of this process, because the health check of a container asks for
        // that name.
        if services.count == 1 { environment[EnvironmentVariable.instance.name] = configuration.instance.rawValue }
        let configured = try BusAddresses(configuration.bus.address)
        // Nil if this process runs a single bus, which reports its address when it is ready. Otherwise, these are the
        // addresses of the two buses that this process runs, or of the buses that other processes run.
        let buses: BusAddresses? =
            services.contains(.bus) ? (configured.hasSeveral ? configured : nil) : configured.reachable
        let plan = Supervisor.Plan(
            services: services,
            buses: buses,
            arguments: arguments,
            environment: environment
        )
        // Throws an error if an executable is missing, before anything starts.
        _ = try Supervisor(plan, log: log)
        let stop = StopSignal()
        let reload = ReloadSignal()
        let control = ProcessControl(stop: stop, reload: reload, deadline: stopTimeout)
        ServiceProcess.run(control, log: log, environment: environment) {
            try await ServiceThread.run(named: "supervisor") {
                var failure: (any Error)?
                func announce(_ line: ReadinessLine) {
                    do {
                        try StandardOutput.announce("\(line)\n")
                    } catch {
                        failure = error
                        stop.stop()
                    }
                }
                var reports = Supervisor.Reports()
                if options.operands.isEmpty {
                    reports.onReady = { buses in
                        announce(
                            ReadinessLine(
                                service: Program.name,
                                instance: configuration.instance,
                                values: ["bus": buses.short]
                            )
                        )
                    }
                } else {
                    reports.onService = announce
                }
                let supervisor = try Supervisor(plan, log: log)
                try supervisor.run(until: stop, reload: reload, reports)
                if let failure { throw failure }
            }
        }
    }

    /// Returns the named services in the order in which they start; all services if the list is empty.
    private static func services(_ names: [String]) throws(UsageError) -> [ServiceName] {
        let known = ServiceName.chain.map(\.rawValue)
        for name in names where !known.contains(name) {
            throw wrongUse("'\(name)' is not a service\(EditDistance.hint(for: name, among: known))")
        }
        return names.isEmpty ? ServiceName.chain : ServiceName.chain.filter { names.contains($0.rawValue) }
    }

    /// Throws an error if several services have no configuration file, or if the configuration exposes the bus.
    private static func check(_ configuration: TidingsConfiguration, _ services: [ServiceName]) throws {
        guard services.count == 1 || configuration.file != nil else {
            throw CommandFailure(
                .wrongUse,
                "there is no \(TidingsConfiguration.defaultFile) here; 'tidings init' writes one, --config names another, and "
                    + "'tidings demo' needs none"
            )
        }
        if services.contains(.bus), let problem = configuration.bus.exposure {
            throw CommandFailure(.wrongUse, problem)
        }
    }
}
