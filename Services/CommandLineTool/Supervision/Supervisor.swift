// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Locking
import MessageBus
import ServiceRuntime
import Telemetry
import WidgetSchema

/// A supervisor that runs services as child processes.
///
/// `SupervisorCore` makes the decisions. A supervisor must be used by one thread only. The function `run` blocks this
/// thread.
final class Supervisor {
    /// The callbacks that inform the caller; they are called on the supervisor's thread.
    struct Reports {
        /// Called each time the bus becomes ready; of two buses, only for the one that is configured first.
        var onBus: (BusAddress) -> Void = { _ in }
        /// Called each time a service becomes ready.
        var onService: (ReadinessLine) -> Void = { _ in }
        /// Called once, when all services are ready for the first time.
        var onReady: (BusAddresses) -> Void = { _ in }
    }

    private let environment: [String: String]
    private let arguments: [String]
    private let log: Logger
    private let signs = Inbox<SupervisorCore.Input>(maximumCount: .max, maximumBytes: .max)
    private let lines = Lines()
    private var core: SupervisorCore
    private var children: [SupervisorCore.Launch: Child] = [:]
    /// The addresses of the buses; nil until they are known.
    ///
    /// If the supervisor runs a single bus, that bus reports its address when it is ready, and gets the same address
    /// after a restart. In all other cases, these are the configured addresses.
    private var buses: BusAddresses?
    private var watch: HealthWatch?
    private var manager: ServiceManager

    /// The services to start, and the arguments and environment variables that each of them gets.
    struct Plan {
        var services = ServiceName.chain
        /// The configured addresses of the buses; nil if `services` has a single bus, which takes its address from the
        /// environment.
        var buses: BusAddresses?
        var arguments: [String] = []
        var environment: [String: String]
    }

    /// Creates a supervisor; throws an error if the executable of a service is missing.
    ///
    /// No process is started before `run` is called.
    init(_ plan: Plan, log: Logger) throws(CommandFailure) {
        manager = ServiceManager(environment: plan.environment)
        environment = plan.environment.filter { !ServiceManager.variables.contains($0.key) }
        arguments = plan.arguments
        buses = plan.buses
        self.log = log
        core = SupervisorCore(plan.services, buses: plan.buses?.all.count ?? 1)
        try ServiceExecutables.require(plan.services.map(\.rawValue))
    }

    /// Starts all services, restarts dead ones and replaces frozen ones; returns after `stop` was triggered and all
    /// services have stopped.
    ///
    /// Throws `SupervisorCore.Failure` if a service has died `SupervisorCore.startAttempts` times before all services
    /// were ready at the same time.
    func run(until stop: StopSignal, reload: ReloadSignal = ReloadSignal(), _ reports: Reports) throws {
        let registration = stop.onStop { [signs] in signs.post(.stop) }
        defer { registration.cancel() }
        reload.onReload { [signs] in signs.post(.reload) }
        defer { watch?.close() }
        if let buses { startWatch(buses) }
        var inputs: [SupervisorCore.Input] = [.begin]
        while true {
            for input in inputs {
                for action in core.handle(note(input, reports), now: .now) {
                    if case .finish(let failure) = action {
                        if let failure { throw failure }
                        return
                    }
                    perform(action, reports)
                }
            }
            manager.reportAlive(at: .now)
            let deadline = [core.nextDeadline, manager.nextDeadline].compactMap(\.self).min()
            inputs = signs.nextBatch(maximum: 16, until: deadline)
            if inputs.isEmpty { inputs = [.tick] }
        }
    }

    private func startWatch(_ buses: BusAddresses) {
        guard watch == nil else { return }
        do {
            watch = try HealthWatch(buses.reachable) { [signs] in signs.post($0) }
        } catch {
            log.warning(
                "Services that stop answering are not replaced, because there is no connection to the bus.",
                error: error
            )
        }
    }

    /// Performs those effects of an input that need no decision, and returns the input for `SupervisorCore`.
    ///
    /// - `.ready`: starts to watch the service, and calls `onService`. For the first configured bus, also calls
    ///   `onBus`.
    /// - `.ended`: reaps the child. The exit status in `input` is only a placeholder. The returned input contains the
    ///   actual `ChildEnd`.
    /// - `.stop` and `.reload`: informs the service manager.
    ///
    /// All inputs except `.ended` are returned unchanged.
    private func note(_ input: SupervisorCore.Input, _ reports: Reports) -> SupervisorCore.Input {
        switch input {
        case .ready(let launch):
            guard let line = lines.take(launch) else { break }
            if launch.service == .bus, let address = BusAddress(line) {
                if buses?.hasSeveral != true { buses = BusAddresses(address) }
                if launch.copy == 0 { reports.onBus(address.reachable) }
                startWatch(buses ?? BusAddresses(address))
            }
            watch?.watch(launch, instance: line.instance)
            reports.onService(line)
        case .ended(let launch, _):
            watch?.forget(launch)
            _ = lines.take(launch)
            guard let child = children.removeValue(forKey: launch) else { return input }
            return .ended(launch, child.reap())
        case .stop: manager.stopping()
        case .reload:
            log.info("Reloading the configuration.")
            manager.reloaded()
        default: break
        }
        return input
    }

    private func perform(_ action: SupervisorCore.Action, _ reports: Reports) {
        switch action {
        case .start(let launch): start(launch)
        case .terminate(let launch): children[launch]?.send(SIGTERM)
        case .kill(let launch):
            log.warning("A service does not stop; killing it.", [.service: launch.service.rawValue])
            children[launch]?.send(SIGKILL)
        case .replace(let launch):
            log.warning("A service does not answer; replacing it.", [.service: launch.service.rawValue])
            children[launch]?.send(SIGKILL)
        case .reload(let launch): children[launch]?.send(SIGHUP)
        case .reportReady:
            guard let buses else { return }
            log.info("All services are ready.", [.address: buses.reachable.short])
            manager.ready()
            reports.onReady(buses.reachable)
        case .restartLater(let service, let end, let pause):
            log.warning(
                "A service ended; restarting it after a pause.",
                [.service: service.rawValue, .reason: "\(end)", .milliseconds: pause.wholeMilliseconds]
            )
        case .finish: break
        }
    }

    private func start(_ launch: SupervisorCore.Launch) {
        var environment = environment
        if let buses {
            // A bus gets only its own address; all other services get the addresses of all buses.
            let own = launch.service == .bus ? buses.all[launch.copy].description : buses.reachable.description
            environment[EnvironmentVariable.bus.name] = own
            let instance = EnvironmentVariable.instance
            if launch.service == .bus, buses.hasSeveral, let name = instance.value(in: environment) {
                // Two buses need different names, because requests for their health contain the name.
                environment[instance.name] = "\(name)-\(launch.copy + 1)"
            }
        }
        let executable = ServiceExecutables.path(of: launch.service.rawValue)
        do throws(SystemCallError) {
            let child = try Child.start(
                ChildProcess.Command(executable, arguments: [executable] + arguments, environment: environment),
                onLine: { [signs, lines] line in
                    guard let readiness = ReadinessLine(line) else { return }
                    lines.put(readiness, of: launch)
                    signs.post(.ready(launch))
                },
                // The exit status 0 is a placeholder. The supervisor's thread reaps the child, so that it never sends a
                // signal to another process with a reused id.
                onEnd: { [signs] in signs.post(.ended(launch, .exit(0))) }
            )
            children[launch] = child
            log.debug("Started a service.", [.service: launch.service.rawValue, .process: child.number])
        } catch {
            signs.post(.ended(launch, .notStarted(error.code)))
        }
    }
}

extension BusAddress {
    /// Creates the address that the readiness line of a bus contains; nil if another service wrote the line, or if it
    /// has no address.
    init?(_ readiness: ReadinessLine) {
        let texts = ["publish", "subscribe", "request"].compactMap { readiness.values[$0] }
        guard readiness.service == ServiceName.bus.rawValue, texts.count == 3,
            let address = try? BusAddress(texts.joined(separator: ","))
        else { return nil }
        self = address
    }
}

/// The readiness lines that children have printed and that the supervisor has not handled yet.
private final class Lines: Sendable {
    private let lines = Lock<[SupervisorCore.Launch: ReadinessLine]>([:])

    func put(_ line: ReadinessLine, of launch: SupervisorCore.Launch) { lines.withLock { $0[launch] = line } }

    func take(_ launch: SupervisorCore.Launch) -> ReadinessLine? { lines.withLock { $0.removeValue(forKey: launch) } }
}
