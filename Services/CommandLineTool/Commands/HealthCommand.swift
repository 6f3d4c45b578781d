// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import MessageBus
import ServiceRuntime
import Text
import WidgetSchema

/// `tidings health`: shows the live instances and their health.
enum HealthCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings health",
        summary: "Shows the live services and their health.",
        operands: [
            Operand(
                "SERVICE",
                choices: ServiceName.chain.map(\.rawValue),
                isOptional: true,
                help: "One service, or SERVICE/INSTANCE (default: all). In a container, SERVICE is the instance in "
                    + "that container."
            )
        ],
        options: [Option("json", short: "j", help: "One JSON object for each instance, with its counters.")]
            + BusChoice.options,
        notes: "Exit status: 0 if all are ready; 1 if one is not, or if a service is missing."
    )

    /// The maximum time to wait for messages about the health of instances.
    ///
    /// The bus publishes the health of each instance at least once in this time.
    static let listeningTime: Duration = .milliseconds(3_500)

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let address = try BusChoice.address(options, environment: environment)
        let report: HealthReport
        if let text = options.operands.first {
            guard let target = RequestTarget(text) else {
                let service = String(text.prefix { $0 != "/" })
                let hint = EditDistance.hint(for: service, among: ServiceName.allCases.map(\.rawValue))
                throw wrongUse("'\(text)' is not a service\(hint)")
            }
            let found = try one(target, address, environment: environment)
            report = HealthReport(found: found, expected: [target.service])
        } else {
            let (found, silent) = try all(address)
            report = HealthReport(found: found, expected: ServiceName.chain, silent: silent)
        }
        return try show(report, json: options.has("json"), environment: environment)
    }

    /// The instances that answered, the services that were expected to answer, and the buses that did not answer.
    private struct HealthReport {
        let found: [HealthAnswer]
        let expected: [ServiceName]
        var silent: [BusAddress] = []

        var missing: [ServiceName] { expected.filter { service in !found.contains { $0.service == service } } }
    }

    private static func show(
        _ report: HealthReport,
        json: Bool,
        environment: [String: String]
    ) throws -> CommandStatus {
        let (found, missing) = (report.found, report.missing)
        if json {
            for answer in found {
                guard let line = try? WireJSON.encode(answer) else { continue }
                try StandardOutput.write(String(decoding: line, as: UTF8.self) + "\n")
            }
        } else {
            let table = HealthTable(.ofOutput(environment: environment), instances: found)
            let rows = found.map { table.row($0, at: .now) } + missing.map(table.missing)
            try StandardOutput.write(([table.header] + rows).joined(separator: "\n") + "\n")
        }
        for bus in report.silent {
            Program.note("warning: the bus at \(bus.short) does not answer; the other bus carries all messages")
        }
        let isGood = missing.isEmpty && found.allSatisfy { $0.health.state == .ready }
        if !isGood {
            let logs = "the output of 'tidings up', 'journalctl --unit tidings', or 'docker compose logs'"
            Program.note("see the log for the reason: \(logs)")
        }
        return isGood ? .done : .no
    }

    // MARK: One

    /// Returns a list with the health of one instance; the list is empty if no live instance matches `target`.
    ///
    /// If `target` names only a service, any instance of the service matches. An instance in the same container as this
    /// process is then preferred.
    private static func one(
        _ target: RequestTarget,
        _ address: BusAddresses,
        environment: [String: String]
    ) throws -> [HealthAnswer] {
        let own = target.instance == nil && target.service != .bus ? ownInstances(environment) : nil
        let prefixes = own.map { ["\(Topic.Prefix.health)\(target.service.rawValue)/\($0.prefix)"] } ?? []
        let session = try BusSession(address, subscriptions: prefixes)
        defer { session.close() }
        if target == RequestTarget(.bus) { return [session.bus].compactMap(\.self) }
        for instance in own?.likely ?? [] {
            if let answer = try ask(RequestTarget(target.service, instance: instance), session) { return [answer] }
        }
        if own != nil, let instance = listen(session, until: { _ in true }).first?.instance {
            if let answer = try ask(RequestTarget(target.service, instance: instance), session) { return [answer] }
        }
        return try ask(target, session).map { [$0] } ?? []
    }

    /// Returns the probable name of a service's instance in this container, and a prefix for its health topic.
    ///
    /// - If `TIDINGS_INSTANCE` is a valid name, this is the name of the instance. `prefix` is the name and a slash.
    /// - Otherwise, the name is the value of `HOSTNAME`, followed by `-1`, because the service is usually process 1.
    ///   `prefix` is the value of `HOSTNAME`, followed by `-`, so that it matches every process id.
    ///
    /// `likely` contains only this name; it is empty if the name is invalid. `prefix` is compared with the part of a
    /// health topic after `health/SERVICE/`. Returns nil if neither variable gives a prefix, as outside of containers.
    private static func ownInstances(_ environment: [String: String]) -> (likely: [InstanceName], prefix: String)? {
        if let name = environment[EnvironmentVariable.instance.name].flatMap(InstanceName.init(rawValue:)) {
            return ([name], name.rawValue + "/")
        }
        guard let host = environment["HOSTNAME"], !host.isEmpty, InstanceName(rawValue: host) != nil else { return nil }
        // The service is the first process of its container, unless there is an init process.
        return (InstanceName(rawValue: "\(host)-1").map { [$0] } ?? [], "\(host)-")
    }

    private static func ask(_ target: RequestTarget, _ session: BusSession) throws -> HealthAnswer? {
        do throws(CommandFailure) {
            return try session.ask(target, HealthRequest())
        } catch {
            if error.status == .unreachable { return nil }
            throw error
        }
    }

    // MARK: All

    private static func all(_ addresses: BusAddresses) throws -> (found: [HealthAnswer], silent: [BusAddress]) {
        let session = try BusSession(addresses, subscriptions: [Topic.Prefix.health])
        defer { session.close() }
        let registered = session.bus?.health.gauges["bus.instances"] ?? 0
        let heard = listen(session) { heard in
            heard.count { $0.service != .bus && $0.health.state != .gone } >= registered
        }
        var buses = [session.bus].compactMap(\.self)
        var silent: [BusAddress] = []
        if addresses.hasSeveral {
            let answers = addresses.all.map { ($0, health(of: $0)) }
            buses = answers.compactMap(\.1)
            silent = answers.filter { $0.1 == nil }.map(\.0)
        }
        let found = (buses + heard.filter { $0.service != .bus })
            .sorted { left, right in
                let order = ServiceName.allCases
                let places = [left, right].map { order.firstIndex(of: $0.service) ?? order.count }
                return (places[0], left.instance) < (places[1], right.instance)
            }
        return (found, silent)
    }

    /// Returns the health of the bus at an address; nil if the bus does not answer.
    private static func health(of address: BusAddress) -> HealthAnswer? {
        guard let session = try? BusSession(BusAddresses(address)) else { return nil }
        defer { session.close() }
        return session.bus
    }

    /// Returns the last published health of each instance.
    ///
    /// Waits until at least one instance is found and `isEnough` returns true for the instances found so far, or until
    /// `listeningTime` has passed.
    private static func listen(_ session: BusSession, until isEnough: ([HealthAnswer]) -> Bool) -> [HealthAnswer] {
        let deadline = ContinuousClock.now + listeningTime
        var heard: [String: HealthAnswer] = [:]
        while !isEnough(Array(heard.values)) || heard.isEmpty, let sign = session.next(until: deadline) {
            guard case .message(let message) = sign, let json = message.frames.first,
                let event = try? WireJSON.decode(Event<Health>.self, from: json),
                let target = event.subject.flatMap(RequestTarget.init), let instance = target.instance
            else { continue }
            heard[target.description] = HealthAnswer(service: target.service, instance: instance, health: event.data)
        }
        return Array(heard.values)
    }
}
