// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

@testable import Bus

/// A bus: the real core routes requests; published messages go to all processes that are there.
///
/// There may be two, and each dies, freezes and returns on its own.
final class SimulatedBus {
    /// The time in milliseconds after which clients give up the connection to a frozen bus, as libzmq does.
    private static let connectionTimeout: Int64 = 6000

    private unowned let simulation: Simulation
    let number: Int
    private var core: BusCore
    private(set) var isAlive = true
    private(set) var isFrozen = false
    private var lives = 0
    /// The actions that wait until the frozen bus continues.
    private var waiting: [() -> Void] = []

    init(_ simulation: Simulation, number: Int) {
        self.simulation = simulation
        self.number = number
        core = Self.makeCore(simulation, number, 0)
    }

    private static func makeCore(_ simulation: Simulation, _ number: Int, _ life: Int) -> BusCore {
        let nonce = "bus\(number)-\(life)"
        guard let name = InstanceName(rawValue: nonce) else { preconditionFailure("a name") }
        return BusCore(instance: name, nonce: nonce, version: "0", now: simulation.reading)
    }

    /// A Boolean value that indicates whether processes can connect.
    var accepts: Bool { isAlive && !isFrozen }

    /// Checks the liveness of instances while the bus is alive.
    func tick() {
        guard isAlive else { return }
        let life = lives
        simulation.after(1000) { [self] in
            guard isAlive, lives == life else { return }
            if !isFrozen { obey(core.handle(.tick, now: simulation.reading)) }
            tick()
        }
    }

    func crash(comesBackAfter pause: Int64) {
        guard isAlive else { return }
        (isAlive, isFrozen, waiting) = (false, false, [])
        simulation.note("bus \(number) dies")
        for process in simulation.processes { process.disconnect(from: number) }
        simulation.after(pause) { [self] in
            lives += 1
            isAlive = true
            core = Self.makeCore(simulation, number, lives)
            simulation.note("bus \(number) starts")
            for process in simulation.processes { process.connect(to: number) }
            tick()
        }
    }

    /// Stops the bus for some time; its clients lose their connections if that takes too long.
    func freeze(for pause: Int64) {
        guard accepts else { return }
        isFrozen = true
        simulation.note("bus \(number) stands still for \(pause) ms")
        let life = lives
        let isTooLong = pause > Self.connectionTimeout
        if isTooLong {
            simulation.after(Self.connectionTimeout) { [self] in
                guard isFrozen, lives == life else { return }
                waiting = []
                for process in simulation.processes { process.disconnect(from: number) }
            }
        }
        simulation.after(pause) { [self] in
            guard isFrozen, lives == life else { return }
            isFrozen = false
            simulation.note("bus \(number) goes on")
            let waited = waiting
            waiting = []
            for action in waited { action() }
            for process in simulation.processes { process.reconnect(to: number) }
        }
    }

    /// Performs an action now, or when the bus is no longer frozen.
    private func perform(_ action: @escaping () -> Void) {
        if isFrozen { waiting.append(action) } else { action() }
    }

    func publish(_ message: Message, from sender: SimulatedProcess) {
        guard isAlive, sender.publishes(at: number) else { return }
        perform { [self] in
            guard isAlive else { return }
            simulation.deliver(message, from: self)
        }
    }

    func send(_ frames: [Data], from process: SimulatedProcess) {
        guard isAlive, !simulation.isLost() else { return }
        let (peer, life) = (process.peers[number], lives)
        simulation.after(simulation.delay()) { [self] in
            guard isAlive, lives == life else { return }
            perform { [self] in obey(core.handle(.received([peer] + frames), now: simulation.reading)) }
        }
    }

    private func obey(_ actions: [BusCore.Action]) {
        for action in actions {
            switch action {
            case .deliver(let delivery): deliver(delivery)
            case .publish(let topic, let frames):
                guard let message = Message(health: topic, frames) else { break }
                simulation.deliver(message, from: self)
            case .registered, .unregistered: break
            }
        }
    }

    private func deliver(_ delivery: Delivery) {
        guard !simulation.isLost() else { return }
        let life = lives
        simulation.after(simulation.delay()) { [self] in
            guard isAlive, lives == life else { return }
            if let process = simulation.processes.first(where: { $0.isAlive && $0.peers[number] == delivery.peer }) {
                process.receive(Array(delivery.frames.dropFirst()), from: number)
                guard delivery.isProbe else { return }
                perform { [self] in obey(core.handle(.reached(delivery), now: simulation.reading)) }
            } else {
                perform { [self] in obey(core.handle(.gone(delivery), now: simulation.reading)) }
            }
        }
    }
}
