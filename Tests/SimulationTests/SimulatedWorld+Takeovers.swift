// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Takeovers in the middle of a transaction, during the pause after a failed commit, and in a split brain.
extension SimulatedWorld {
    private static let betweenInterleavings: ClosedRange<Int64> = 2000...10_000
    private static let pauseOfOwner: ClosedRange<Int64> = 50...12_000
    private static let pauseOfTakeover: ClosedRange<Int64> = 50...4000
    /// The pause of an owner that is woken in the middle of a takeover.
    private static let longPause: Int64 = 12_000
    /// The probability of a takeover during the pause after a failed commit.
    private static let takeoverInPause = 0.3
    /// The time from the failed commit to the takeover.
    private static let takeoverAfter: ClosedRange<Int64> = 1...100
    /// The time by which the takeover on the former primary can come after the one on the new primary.
    private static let lateTakeover: ClosedRange<Int64> = 1...3000
    /// The times after the failed commit at which the service gets a read request.
    private static let requestsInPause = stride(from: Int64(0), through: 200, by: 20)
    /// The duration of a split brain in which two processes take a store over.
    static let disputeDuration: ClosedRange<Int64> = 500...6000

    func planInterleaving() {
        simulation.after(simulation.interleavingDice.number(Self.betweenInterleavings)) { [self] in
            guard !isOver else { return }
            let service = simulation.interleavingDice.pick([ServiceName.cache, .notifier])
            if simulation.hasStandbys, simulation.interleavingDice.chance(0.5) {
                interleaveTakeover(of: service)
            } else {
                interleaveCommit(of: service)
            }
            planInterleaving()
        }
    }

    /// Suspends an owner within its next transaction, while another process takes the store over.
    private func interleaveCommit(of service: ServiceName) {
        let pause = simulation.interleavingDice.number(Self.pauseOfOwner)
        for process in simulation.processes where process.service == service && process.isActive {
            process.plannedPause = { [self] in
                if !simulation.hasStandbys, simulation.faults.has(.standbys) {
                    simulation.after(simulation.interleavingDice.number(0...pause)) { [self] in
                        if !isOver { standby(service) }
                    }
                }
                return pause
            }
        }
    }

    /// Lets another process take a store over while its owner pauses after a failed commit, and sends the owner read
    /// requests meanwhile.
    ///
    /// Does nothing in runs with forks: other takeovers would change the known seeds of variants that only those runs
    /// find.
    func interleavePause(of service: ServiceName) {
        guard simulation.hasInterleavings, !simulation.hasStandbys, !simulation.hasForks,
            simulation.faults.has(.standbys), simulation.pauseDice.chance(Self.takeoverInPause)
        else { return }
        for time in Self.requestsInPause { simulation.after(time) { [self] in simulation.probe?.ask(service) } }
        simulation.after(simulation.pauseDice.number(Self.takeoverAfter)) { [self] in if !isOver { standby(service) } }
    }

    /// Suspends an owner, and wakes it while its standby is suspended within the takeover.
    private func interleaveTakeover(of service: ServiceName) {
        let pause = simulation.interleavingDice.number(Self.pauseOfTakeover)
        let owners = simulation.processes.filter { $0.service == service && $0.isActive }
        for owner in owners { owner.freeze(for: Self.longPause) }
        for standby in simulation.processes where standby.service == service && standby.isAlive && !standby.isActive {
            standby.plannedPause = { [self] in
                simulation.after(pause / 2) { for owner in owners { owner.resume() } }
                return pause
            }
        }
    }

    /// Lets two processes take each store over, one on each primary of a split brain.
    func dispute(_ services: [ServiceName]) {
        for service in services {
            simulation.note("two instances of \(service.rawValue) take over, one on each primary")
            retire(service)
            let servers: [SimulatedServer] =
                service == .cache ? simulation.cacheServers.reachable : simulation.notifierServers.reachable
            for server in servers {
                // On the former primary, in the same millisecond or later.
                let isLate = server !== servers.last && simulation.disputeDice.chance(0.5)
                simulation.after(isLate ? simulation.disputeDice.number(Self.lateTakeover) : 0) { [self] in
                    if !isOver { spawn(service, at: server) }
                }
            }
        }
    }

    private func spawn(_ service: ServiceName, at server: SimulatedServer) {
        simulation.spawn { number in
            if service == .cache {
                let process = CacheProcess(simulation, number: number)
                process.preferredServer = server
                return process
            }
            let process = NotifierProcess(simulation, number: number)
            process.preferredServer = server
            return process
        }
    }
}
