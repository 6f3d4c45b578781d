// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import ServiceRuntime
import Telemetry
import WidgetSchema

/// `tidings origin`: runs the demo's scripted origin as a separate service.
enum OriginCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings origin",
        summary: "Serves the demo's feeds and documents, whose changes and failures are scripted.",
        options: [
            Option(
                "host",
                value: "ADDRESS",
                help: "The numerical address to listen on (default: \(defaultHost); 0.0.0.0 for every interface)."
            ),
            Option("port", short: "p", value: "PORT", help: "The port (default: \(defaultPort); 0 for a free one)."),
            Option(
                "play",
                help: "Also simulate the demo's app and its user: push to the widget 'documents', tap on the widget "
                    + "'place'."
            ),
        ] + BusChoice.options,
        notes: "/blog.xml is RSS, /news.atom is Atom; /place.json, /weather.json, /quotes.json\n"
            + "and /builds.json are for other kinds. GET /requests returns JSON that says how\n"
            + "often each was requested. The command prints 'ready origin …' with its URL when\n"
            + "it listens. SIGTERM or Ctrl-C ends it."
    )

    static let defaultHost = "127.0.0.1"
    static let defaultPort = 8080
    static let ports = 0...65_535

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        ServiceProcess.prepareSignals()
        let host = options.value("host") ?? defaultHost
        guard isNumerical(host) else {
            throw wrongUse("'\(host)' is not a numerical address, such as \(defaultHost), 0.0.0.0 or ::1")
        }
        let port = try options.integer("port", in: ports) ?? defaultPort
        let level = environment[EnvironmentVariable.logLevel.name].flatMap(LogLevel.init(rawValue:)) ?? .info
        let log = Logger(label: "origin", minimumLevel: level)
        let stop = StopSignal()
        let bus = options.has("play") ? try BusChoice.address(options, environment: environment) : nil
        let instance =
            environment[EnvironmentVariable.instance.name].flatMap(InstanceName.init(rawValue:))
            ?? .ofThisProcess(environment: environment)
        ServiceProcess.run(ProcessControl(stop: stop), log: log, environment: environment) {
            let origin = DemoOrigin(start: Int(Instant.now.milliseconds / 1_000))
            try await withDemoOrigin(origin, host: host, port: port) { url in
                let line = ReadinessLine(service: "origin", instance: instance, values: ["url": url("/")])
                try StandardOutput.announce("\(line)\n")
                if let bus {
                    try await ServiceThread.run(named: "player") {
                        try DemoPlayer.run(on: bus, until: stop, log: log)
                    }
                }
                await stop.wait()
            }
        }
    }

    private static func isNumerical(_ host: String) -> Bool {
        var buffer = in6_addr()
        return inet_pton(AF_INET, host, &buffer) == 1 || inet_pton(AF_INET6, host, &buffer) == 1
    }
}
