// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import WidgetSchema

/// Runs all services as child processes for as long as it runs itself.
///
/// For one thread of its own, which it blocks; `SupervisorCore` decides.
final class Supervisor {
    private let folder: String
    private let environment: [String: String]
    private let log: Logger
    private let signs = Inbox<SupervisorCore.Input>(maximumCount: .max, maximumBytes: .max)
    private let addresses = Inbox<BusAddress>(maximumCount: .max, maximumBytes: .max)
    private var core = SupervisorCore()
    private var children: [SupervisorCore.Launch: Child] = [:]
    /// Where the bus listens, once it has said so: it gets the same place after each restart.
    private var bus: BusAddress?

    /// Finds the executables; throws a failure where one is missing, before anything is started.
    init(environment: [String: String], log: Logger) throws(CommandFailure) {
        folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path()
        self.environment = environment
        self.log = log
        let missing = ServiceName.chain.filter {
            !FileManager.default.isExecutableFile(atPath: folder + $0.rawValue)
        }
        guard missing.isEmpty else {
            let names = missing.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.no, "not found beside this executable, in \(folder): \(names); build them all")
        }
    }

    /// Starts all, restarts what dies, and returns when all have stopped after `stop`.
    ///
    /// `onBus` is called each time the bus has come up, `onReady` once when all have, both on the calling thread. Throws
    /// `SupervisorCore.Failure` where a service never came up.
    func run(
        until stop: StopSignal,
        onBus: (BusAddress) -> Void,
        onReady: (BusAddress) -> Void
    ) throws {
        let registration = stop.onStop { [signs] in signs.post(.stop) }
        defer { registration.cancel() }
        var inputs: [SupervisorCore.Input] = [.begin]
        while true {
            for input in inputs {
                for action in core.handle(note(input, onBus), now: .now) {
                    if case .finish(let failure) = action {
                        if let failure { throw failure }
                        return
                    }
                    perform(action, onReady)
                }
            }
            inputs = signs.nextBatch(maximum: 16, until: core.nextDeadline)
            if inputs.isEmpty { inputs = [.tick] }
        }
    }

    /// Looks at what the core is to know, and completes it.
    private func note(_ input: SupervisorCore.Input, _ onBus: (BusAddress) -> Void) -> SupervisorCore.Input {
        switch input {
        case .ready(let launch):
            guard launch.service == .bus else { break }
            bus = addresses.nextBatch(maximum: .max, until: .now).last ?? bus
            if let bus { onBus(bus.reachable) }
        case .ended(let launch, _):
            guard let child = children.removeValue(forKey: launch) else { return input }
            return .ended(launch, child.reap())
        default: break
        }
        return input
    }

    private func perform(_ action: SupervisorCore.Action, _ onReady: (BusAddress) -> Void) {
        switch action {
        case .start(let launch): start(launch)
        case .terminate(let launch): children[launch]?.send(SIGTERM)
        case .kill(let launch):
            log.warning("A service does not stop; killing it.", [.service: launch.service.rawValue])
            children[launch]?.send(SIGKILL)
        case .announceReady:
            guard let bus else { return }
            log.info("All services are ready.", [.address: bus.reachable.short])
            onReady(bus.reachable)
        case .restartLater(let service, let end, let pause):
            log.warning(
                "A service ended; starting it again.",
                [.service: service.rawValue, .reason: "\(end)", .milliseconds: pause.wholeMilliseconds]
            )
        case .finish: break
        }
    }

    private func start(_ launch: SupervisorCore.Launch) {
        var environment = environment
        if let bus {
            environment[EnvironmentVariable.bus.name] = (launch.service == .bus ? bus : bus.reachable).description
        }
        do throws(SpawnError) {
            let child = try Child.start(
                path: folder + launch.service.rawValue,
                environment: environment,
                onLine: { [signs, addresses] line in
                    guard let readiness = ReadinessLine(line) else { return }
                    if let address = BusAddress(readiness) { addresses.post(address) }
                    signs.post(.ready(launch))
                },
                // The status is taken by the supervisor itself, so that a signal never meets a stranger's number.
                onEnd: { [signs] in signs.post(.ended(launch, .exit(0))) }
            )
            children[launch] = child
            log.debug("Started a service.", [.service: launch.service.rawValue, .process: child.number])
        } catch {
            signs.post(.ended(launch, .notStarted(error.errno)))
        }
    }
}

extension BusAddress {
    /// What a bus says in its readiness line.
    init?(_ readiness: ReadinessLine) {
        let texts = ["publish", "subscribe", "request"].compactMap { readiness.values[$0] }
        guard readiness.service == ServiceName.bus.rawValue, texts.count == 3,
            let address = try? BusAddress(texts.joined(separator: ","))
        else { return nil }
        self = address
    }
}
