// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import WidgetSchema

/// `tidings up`: all services on this machine, as child processes.
enum UpCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings up",
        summary: "Runs all services on this machine, and restarts what dies.",
        options: [.config],
        notes: "Says 'ready tidings …' when all services are ready. Ends in order by SIGTERM or\nCtrl-C.\n\n"
            + EnvironmentVariable.help
    )

    /// Six services, one after the other, and what a killed one takes to end.
    static let stopDeadline: Duration = .seconds(18)

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        ServiceProcess.prepareSignals()
        let configuration = try Configuration.load(
            path: options.value(Option.config.name),
            environment: environment,
            needsSecrets: true
        )
        let log = Logger(label: "up", minimumLevel: configuration.log.level, format: configuration.log.format)
        var environment = environment
        if let file = configuration.file { environment[EnvironmentVariable.config.name] = file }
        if let files = configuration.fetching.fileDirectory, environment[EnvironmentVariable.files.name] == nil {
            environment[EnvironmentVariable.files.name] = URL(filePath: files).path
        }
        let supervised = environment
        // Before anything starts: an executable may be missing.
        _ = try Supervisor(environment: supervised, log: log)
        let stop = StopSignal()
        ServiceProcess.run(stop: stop, log: log, environment: environment, within: stopDeadline) {
            try await ServiceThread.run(named: "supervisor") {
                let supervisor = try Supervisor(environment: supervised, log: log)
                try supervisor.run(until: stop, onBus: { _ in }) { bus in
                    let line = ReadinessLine(
                        service: Program.name,
                        instance: configuration.instance,
                        values: ["bus": bus.short]
                    )
                    StandardStream.output.write("\(line)\n")
                }
            }
        }
    }
}
