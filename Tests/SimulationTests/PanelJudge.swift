// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import Cache

/// The judge of sources that are fetched when they are shown: none is fetched without a wake of a panel, and all are fetched
/// before one.
final class PanelJudge {
    /// The sources that are fetched when they are shown, in the runs with a panel.
    static let sources: Set<Int> = [1, 5]
    static let firstLead: Int64 = 1000
    static let leadReserve: Int64 = 300
    static let maximumLead: Int64 = 3000
    static let wantedFor: Int64 = 4000

    /// The differences of times that the network and the rounds of the services explain.
    private static let slack: Int64 = 1000
    /// The time after a wake at which the attempt for it has certainly ended.
    private static let delay: Int64 = 2000
    /// The time after the chaos after which back-off, quarantine and leases of the chaos are over.
    private static let settling: Int64 = 20_000
    /// The time before a wake at which the cache must know it.
    static let notice: Int64 = 2500
    /// The time after a change of the configuration at which the gateway reads it.
    ///
    /// Until then, it asks for widgets that the cache no longer has, and not for new ones. The configuration changes during
    /// the chaos only, and this time is shorter than ``settling``, so each judged wake is that of the current configuration.
    static let configurationDelay: ClosedRange<Int64> = 0...5000

    /// A Boolean value that indicates whether a panel sleeps and wakes, for which some sources are fetched.
    let arePresent: Bool
    let dice: Dice
    /// For the delays of the gateway's configuration, so that the wakes stay as they are.
    let delayDice: Dice
    private unowned let simulation: Simulation
    private var wakes: [Int64] = []
    /// The leases in restored stores; a cache extends them at its start.
    private var restored: Set<LeaseID> = []

    init(_ simulation: Simulation) {
        self.simulation = simulation
        let seed = simulation.settings.seed
        arePresent = simulation.faults.has(.panels) && seed % 12 >= 10
        dice = Dice(seed: seed, stream: 14)
        delayDice = Dice(seed: seed, stream: 16)
    }

    /// Takes the next wake of the panel, of which its gateway knows from now on.
    func expects(_ wake: Int64) {
        wakes.append(wake)
        guard isSettled, wake - simulation.now >= Self.notice else { return }
        simulation.at(wake + Self.delay) { [self] in
            if isSettled, simulation.asksOrigins { judgeWake(wake) }
        }
    }

    private var isSettled: Bool {
        !simulation.isChaotic && simulation.now - simulation.chaosLasted >= Self.settling && simulation.calm.isSettled
    }

    private func judgeWake(_ wake: Int64) {
        let state = simulation.cacheStore.tables.state
        for index in Self.sources.sorted() {
            guard let record = state.sources[SimulatedOrigin.addresses[index].id] else { continue }
            let attempt = record.lastAttempt.map(simulation.virtual) ?? 0
            let wasFresh = simulation.virtual(record.nextAttempt) > wake
            if attempt < wake - Self.maximumLead - Self.slack, !wasFresh {
                simulation.oracle.report(
                    "a panel wakes, and its source was not fetched",
                    "source \(index), wake at \(wake): \(record)"
                )
            }
        }
    }

    func cacheWasRestored() { restored.formUnion(simulation.cacheStore.tables.state.leases.values.map(\.id)) }

    /// Judges a granted lease that ends at `until`.
    func judgeLease(_ lease: LeaseID, of source: SourceID, until: Int64) {
        let granted = until - simulation.world.currentPlan.limits.leaseDuration.wholeMilliseconds
        guard arePresent, !(simulation.hasClockDifference && simulation.isChaotic), !restored.contains(lease),
            let index = SimulatedOrigin.index(of: source), Self.sources.contains(index),
            let record = simulation.cacheStore.tables.state.sources[source],
            record.hasBeenRead, !record.isDemanded
        else { return }
        let isWanted = wakes.contains { wake in
            granted >= wake - Self.maximumLead - Self.slack && granted <= wake + Self.wantedFor + Self.slack
        }
        guard !isWanted else { return }
        simulation.oracle.report("a source is fetched although nobody looks", "source \(index)")
    }
}
