// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import WidgetSchema

@testable import Bus

/// The bus: the real core routes requests; published messages go to all processes that are there.
final class SimulatedBus {
    private unowned let simulation: Simulation
    private var core: BusCore
    private(set) var isAlive = true
    private var lives = 0

    init(_ simulation: Simulation) {
        self.simulation = simulation
        core = Self.makeCore(simulation, 0)
    }

    private static func makeCore(_ simulation: Simulation, _ life: Int) -> BusCore {
        guard let name = InstanceName(rawValue: "bus-\(life)") else { preconditionFailure("a name") }
        return BusCore(instance: name, nonce: "bus\(life)", version: "0", now: simulation.moment)
    }

    /// Checks the liveness of instances while the bus is alive.
    func tick() {
        guard isAlive else { return }
        let life = lives
        simulation.after(1000) { [self] in
            guard isAlive, lives == life else { return }
            obey(core.handle(.tick, now: simulation.moment))
            tick()
        }
    }

    func crash(comesBackAfter pause: Int64) {
        guard isAlive else { return }
        isAlive = false
        simulation.note("the bus dies")
        for process in simulation.processes { process.disconnect() }
        simulation.after(pause) { [self] in
            lives += 1
            isAlive = true
            core = Self.makeCore(simulation, lives)
            simulation.note("the bus starts")
            for process in simulation.processes { process.connect() }
            tick()
        }
    }

    func send(_ frames: [Data], from process: SimulatedProcess) {
        guard isAlive, !simulation.isLost() else { return }
        let (peer, life) = (process.peer, lives)
        simulation.after(simulation.delay()) { [self] in
            guard isAlive, lives == life else { return }
            obey(core.handle(.received([peer] + frames), now: simulation.moment))
        }
    }

    private func obey(_ actions: [BusCore.Action]) {
        for case .deliver(let delivery) in actions { deliver(delivery) }
    }

    private func deliver(_ delivery: Delivery) {
        guard !simulation.isLost() else { return }
        let life = lives
        simulation.after(simulation.delay()) { [self] in
            guard isAlive, lives == life else { return }
            if let process = simulation.processes.first(where: { $0.isAlive && $0.peer == delivery.peer }) {
                process.receive(Array(delivery.frames.dropFirst()))
            } else {
                obey(core.handle(.gone(delivery), now: simulation.moment))
            }
        }
    }
}
