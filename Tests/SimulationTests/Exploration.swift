// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Many runs, and what came of them.
enum Exploration {
    struct Failure: Sendable {
        var seed: UInt64
        var cycles: Int
        var variant: Variant?
        var violation: Oracle.Violation
    }

    struct Report: Sendable {
        var seeds = 0
        var cycles = 0
        var updates = 0
        var ranges = 0
        var deaths = 0
        var fetches = 0
        var restores = 0
        var seconds = 0.0
        var failures: [Failure] = []

        var summary: String {
            "\(seeds) seeds, \(cycles) cycles, \(deaths) deaths, \(restores) restores, \(fetches) fetches, "
                + "\(updates) updates seen, \(ranges) of them ranges, \(failures.count) failures "
                + "in \(String(format: "%.1f", seconds)) s"
        }

        mutating func add(_ other: Report) {
            seeds += other.seeds
            cycles += other.cycles
            updates += other.updates
            ranges += other.ranges
            deaths += other.deaths
            fetches += other.fetches
            restores += other.restores
            failures += other.failures
        }
    }

    /// Runs of one core each, side by side.
    static func run(seeds: Range<UInt64>, cycles: Int, variant: Variant? = nil) async -> Report {
        let begin = ContinuousClock.now
        var report = Report()
        await withTaskGroup(of: Report.self) { group in
            var left = seeds
            for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) {
                if let seed = left.popFirst() {
                    group.addTask { one(Simulation.Settings(seed: seed, cycles: cycles, variant: variant)) }
                }
            }
            while let part = await group.next() {
                report.add(part)
                if let seed = left.popFirst() {
                    group.addTask { one(Simulation.Settings(seed: seed, cycles: cycles, variant: variant)) }
                }
            }
        }
        report.failures.sort { $0.seed < $1.seed }
        report.seconds = (ContinuousClock.now - begin) / .seconds(1)
        return report
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
            restores: simulation.oracle.restores
        )
        if let violation = simulation.oracle.violations.first {
            report.failures.append(
                Failure(
                    seed: settings.seed,
                    cycles: settings.cycles,
                    variant: settings.variant,
                    violation: violation
                )
            )
        }
        return report
    }

    /// The first seed that finds a variant out.
    static func firstFailure(of variant: Variant, among seeds: Range<UInt64>, cycles: Int) async -> Failure? {
        let step: UInt64 = 8
        var from = seeds.lowerBound
        while from < seeds.upperBound {
            let part = from..<min(from + step, seeds.upperBound)
            if let failure = await run(seeds: part, cycles: cycles, variant: variant).failures.first { return failure }
            from = part.upperBound
        }
        return nil
    }

    /// The run again without the kinds of faults that it does not need, and what led to the violation.
    static func explain(_ failure: Failure) -> String {
        var settings = Simulation.Settings(seed: failure.seed, cycles: failure.cycles, variant: failure.variant)
        func violation(_ settings: Simulation.Settings) -> Oracle.Violation? {
            one(settings).failures.first?.violation
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
            seed \(failure.seed), \(failure.cycles) cycles: \(found.what) (\(found.widget?.rawValue ?? "-"))             \(found.detail) at \(found.at) ms, with \(needed.joined(separator: ", "))
            again: make simulate SEED=\(failure.seed) CYCLES=\(failure.cycles)
            \(relevant.suffix(60).joined(separator: "\n"))
            """
    }
}
