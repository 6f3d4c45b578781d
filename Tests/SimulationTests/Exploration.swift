// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Many runs with their results.
enum Exploration {
    struct Failure: Sendable {
        var seed: UInt64
        var cycles: Int
        var variant: Variant?
        var violation: Oracle.Violation
        var hasDelivery = false
    }

    struct Report: Sendable {
        var seeds = 0
        var cycles = 0
        var updates = 0
        var ranges = 0
        var deaths = 0
        var fetches = 0
        var restores = 0
        var disasters = 0
        /// The duration of the chaos in virtual time.
        var virtualSeconds: Int64 = 0
        /// The fingerprint of each seed; equal runs have equal fingerprints.
        var fingerprints: [UInt64: UInt64] = [:]
        /// The fingerprint of all runs, in any order.
        var fingerprint: UInt64 { fingerprints.values.reduce(0, ^) }
        var seconds = 0.0
        var failures: [Failure] = []

        var summary: String {
            "\(seeds) seeds, \(cycles) cycles, \(virtualSeconds) s of chaos, \(deaths) deaths, \(disasters) disasters, "
                + "\(restores) restores, \(fetches) fetches, \(updates) updates seen, \(ranges) of them ranges, "
                + "\(failures.count) failures in \(String(format: "%.1f", seconds)) s; "
                + "fingerprint \(String(fingerprint, radix: 16))"
        }

        mutating func add(_ other: Report) {
            seeds += other.seeds
            cycles += other.cycles
            updates += other.updates
            ranges += other.ranges
            deaths += other.deaths
            fetches += other.fetches
            restores += other.restores
            disasters += other.disasters
            virtualSeconds += other.virtualSeconds
            fingerprints.merge(other.fingerprints) { $1 }
            failures += other.failures
        }
    }

    /// Runs simulations in parallel, one per core; prints each failure at once if `printsFailures` is true.
    static func run(
        seeds: Range<UInt64>,
        cycles: Int,
        variant: Variant? = nil,
        hasDelivery: Bool = false,
        printsFailures: Bool = false
    ) async -> Report {
        let begin = ContinuousClock.now
        var report = Report()
        let runs = seeds.lazy.map { seed in
            Simulation.Settings(
                seed: seed,
                cycles: cycles,
                variant: variant,
                hasDelivery: hasDelivery || variant?.isOfDelivery == true
            )
        }
        await sideBySide(
            runs,
            { one($0) },
            { result in
                report.add(result)
                for failure in result.failures where printsFailures {
                    print("seed \(failure.seed): \(failure.violation.what)")
                    fflush(nil)
                }
            }
        )
        report.failures.sort { $0.seed < $1.seed }
        report.seconds = (ContinuousClock.now - begin) / .seconds(1)
        return report
    }

    /// Returns the first failure of each variant that is detected; each variant is tried until one seed detects it.
    ///
    /// If `cycles` is nil, the runs of each variant have as many cycles as it needs.
    static func firstFailures(of variants: [Variant], among seeds: Range<UInt64>, cycles: Int?) async
        -> [Variant: Failure]
    {
        var found: [Variant: Failure] = [:]
        await sideBySide(
            variants,
            { firstFailure(of: $0, among: seeds, cycles: cycles ?? $0.cycles) },
            { failure in if let failure, let variant = failure.variant { found[variant] = failure } }
        )
        return found
    }

    /// Tries the seed that detected a variant before first; the seed may change when the services change.
    private static func firstFailure(of variant: Variant, among seeds: Range<UInt64>, cycles: Int) -> Failure? {
        for seed in [variant.foundBySeed] + seeds.filter({ $0 != variant.foundBySeed }) {
            let report = one(
                Simulation.Settings(seed: seed, cycles: cycles, variant: variant, hasDelivery: variant.isOfDelivery)
            )
            if let failure = report.failures.first { return failure }
        }
        return nil
    }

    /// Runs many jobs in parallel, one per core.
    private static func sideBySide<Job: Sendable, Result: Sendable>(
        _ jobs: some Sequence<Job>,
        _ work: @escaping @Sendable (Job) -> Result,
        _ take: (Result) -> Void
    ) async {
        await withTaskGroup(of: Result.self) { group in
            var jobs = jobs.makeIterator()
            for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) {
                if let job = jobs.next() { group.addTask { work(job) } }
            }
            while let result = await group.next() {
                take(result)
                if let job = jobs.next() { group.addTask { work(job) } }
            }
        }
    }

    static func one(_ settings: Simulation.Settings) -> Report {
        let simulation = Simulation(settings)
        simulation.run()
        var report = Report(
            seeds: 1,
            cycles: simulation.oracle.cycles,
            updates: simulation.oracle.seen,
            ranges: simulation.oracle.ranges,
            deaths: simulation.crashes,
            fetches: simulation.origin.fetches,
            restores: simulation.oracle.restores,
            disasters: simulation.world.disasters,
            virtualSeconds: simulation.chaosLasted / 1000,
            fingerprints: [settings.seed: simulation.oracle.fingerprint]
        )
        if let violation = simulation.oracle.violations.first {
            report.failures.append(
                Failure(
                    seed: settings.seed,
                    cycles: settings.cycles,
                    variant: settings.variant,
                    violation: violation,
                    hasDelivery: settings.hasDelivery
                )
            )
        }
        return report
    }

    /// The number of trace lines before a violation that are shown.
    private static let toldLines = 1500

    /// The numbers of cycles with which a failing run is repeated.
    private static let shorterRuns = [5, 15, 30, 60, 120, 250]

    /// Returns the shortest run with the same failure, without the faults that it does not need, and the events before
    /// the violation.
    static func explain(_ failure: Failure) -> String {
        var settings = Simulation.Settings(
            seed: failure.seed,
            cycles: failure.cycles,
            variant: failure.variant,
            hasDelivery: failure.hasDelivery
        )
        func violation(_ settings: Simulation.Settings) -> Oracle.Violation? {
            one(settings).failures.first?.violation
        }
        for fewer in shorterRuns where fewer < settings.cycles {
            var shorter = settings
            shorter.cycles = fewer
            guard violation(shorter)?.what == failure.violation.what else { continue }
            settings = shorter
            break
        }
        for kind in FaultKind.allCases {
            var fewer = settings
            fewer.without.insert(kind)
            if violation(fewer)?.what == failure.violation.what { settings = fewer }
        }
        settings.traces = true
        let simulation = Simulation(settings)
        simulation.run()
        guard let found = simulation.oracle.violations.first else { return "seed \(failure.seed) no longer fails" }
        let others = SimulatedWorld.allWidgets.filter { $0 != found.widget }.map { " \($0): " }
        let relevant = simulation.trace.filter { line in
            found.widget == nil || !others.contains { line.contains($0) }
        }
        let needed = FaultKind.allCases.filter { !settings.without.contains($0) }.map(\.rawValue)
        return """
            seed \(failure.seed), \(settings.cycles) cycles: \(found.what) (\(found.widget?.rawValue ?? "-")) \
            \(found.detail) at \(found.at) ms, with \(needed.joined(separator: ", "))
            again: make simulate SEED=\(failure.seed) CYCLES=\(settings.cycles)\
            \(failure.variant.map { " VARIANT=\($0)" } ?? "")
            \(relevant.suffix(Self.toldLines).joined(separator: "\n"))
            """
    }
}
