// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import WidgetSchema

/// The whole system on one machine, from the origin to a subscriber that shows updates.
struct Demo: Sendable {
    /// The address on which the bus listens.
    let bus: String
    /// The address on which the gateway listens, `HOST:PORT`.
    let gateway: String
    /// The port on which the origin listens; 0 for a free port.
    let port: Int
    let environment: [String: String]
    let level: LogLevel
    let log: Logger
    /// The time from which the report counts.
    let start = ContinuousClock.now

    /// Runs the demo until `stop` is triggered; returns when all services have stopped and the demo's folder is
    /// removed.
    func run(until stop: StopSignal) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeItem(at: folder)
            } catch {
                log.warning(
                    "The demo's folder could not be removed.",
                    [.path: folder.path(percentEncoded: false)],
                    error: error
                )
            }
        }
        let start = Int(Instant.now.milliseconds / 1_000)
        let terminal = Terminal.ofOutput(environment: environment)
        // If nobody reads the output, the table notices it and ends the demo.
        let show: @Sendable (Data) -> Void = { try? StandardOutput.write(DemoReport.delivery($0, terminal)) }
        try await withDemoOrigin(DemoOrigin(start: start, received: show), port: port) { url in
            let file = folder.appending(path: TidingsConfiguration.defaultFile)
            let zone = DemoClock.timeZone(at: .now)
            try Data(DemoText.configuration(origin: url, timeZone: zone).utf8).write(to: file)
            try await runServices(file: file.path(percentEncoded: false), origin: url("/"), until: stop)
        }
    }

    /// Returns the environment of the services, with the configuration `file`.
    private func serviceEnvironment(file: String) -> [String: String] {
        var environment = environment
        for variable in [EnvironmentVariable.store, .instance] { environment[variable.name] = nil }
        environment[EnvironmentVariable.config.name] = file
        environment[EnvironmentVariable.bus.name] = bus
        environment[EnvironmentVariable.gateway.name] = gateway
        environment[EnvironmentVariable.logLevel.name] = level.rawValue
        return environment
    }

    /// Creates a token for the demo's pages if reads need one, that is, if other machines reach the gateway.
    private func makeToken(_ environment: [String: String]) throws -> AccessToken? {
        let configuration = try TidingsConfiguration.load(path: nil, environment: environment)
        guard !configuration.gateway.readsAreOpen else { return nil }
        let token = AccessToken()
        let record = TokenRecord(token: token, name: "demo", scopes: [.read, .act], created: Instant.now.description)
        try TokenFile(tokens: [record]).save(configuration.storeFolder + "/" + TokenFile.defaultName)
        return token
    }

    private func runServices(file: String, origin: String, until stop: StopSignal) async throws {
        let supervisor = serviceEnvironment(file: file)
        let addresses = DemoAddresses(gateway: gateway, token: try makeToken(supervisor)?.text, origin: origin)
        let buses = Inbox<BusAddress>(maximumCount: .max, maximumBytes: .max)
        async let table: Void = ServiceThread.run(named: "table") {
            guard let bus = buses.nextBatch(maximum: 1, until: nil).first else { return }
            try showUpdates(bus, addresses, until: stop)
        }
        do {
            try await ServiceThread.run(named: "supervisor") {
                // Subscribe when the bus starts, so that the first update is not missed.
                try Supervisor(Supervisor.Plan(environment: supervisor), log: log).run(
                    until: stop,
                    Supervisor.Reports(onBus: { buses.post($0) })
                )
            }
        } catch {
            stop.stop()
            buses.finish()
            try? await table
            throw error
        }
        buses.finish()
        try await table
    }

    /// Shows updates until the demo is stopped.
    ///
    /// An introduction with the addresses of the demo is shown first. If the reader of standard output is gone, this
    /// function stops the demo.
    private func showUpdates(_ bus: BusAddress, _ addresses: DemoAddresses, until stop: StopSignal) throws {
        let terminal = Terminal.ofOutput(environment: environment)
        let executable = DemoText.executable(
            Swift.CommandLine.arguments.first ?? Program.name,
            path: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path(percentEncoded: false),
            workingFolder: FileManager.default.currentDirectoryPath
        )
        let introduction = DemoText.introduction(
            of: addresses,
            bus: bus,
            executable: executable,
            terminal: terminal
        )
        let session = try BusSession(BusAddresses(bus), subscriptions: [Topic.Prefix.update])
        defer { session.close() }
        let registration = stop.onStop(session.end)
        defer { registration.cancel() }
        Terminal.onOutputClosed { stop.stop() }
        var report = DemoReport(terminal, start: start)
        // Without a reader or a writable output, the demo has nothing to do.
        defer { stop.stop() }
        try StandardOutput.announce(introduction)
        var player = DemoPlayer(log: log)
        do {
            reading: while true {
                switch session.next(until: player.next) {
                case .message(let message): try StandardOutput.write(report.text(message))
                case .resubscribed: continue
                case .ended: break reading
                case nil: player.play(on: session)
                }
            }
            try StandardOutput.write(report.closing(executable: executable))
        } catch is StandardOutput.Closed {}
    }
}
