// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// Runs the chain of services with all kinds of faults.
@Suite struct SimulationTests {
    /// The number of seeds, the number of cycles of each, and the first seed; `make simulate` sets more.
    private static let environment = ProcessInfo.processInfo.environment
    private static let seeds =
        environment["TIDINGS_SIMULATION_SEEDS"].flatMap(UInt64.init) ?? TestExtent.of(8, nightly: 100)
    private static let firstSeed = environment["TIDINGS_SIMULATION_FROM"].flatMap(UInt64.init) ?? 0
    private static let cycles = environment["TIDINGS_SIMULATION_CYCLES"].flatMap(Int.init) ?? 15

    private static let variants =
        environment["TIDINGS_SIMULATION_VARIANTS"].map { names in
            names.split(separator: ",").compactMap { Variant(rawValue: String($0)) }
        } ?? Variant.allCases
    /// The number of seeds with which a variant must be detected, and the number of cycles of each; nil for the variant's own.
    private static let variantSeeds: UInt64 =
        environment["TIDINGS_SIMULATION_VARIANT_SEEDS"].flatMap(UInt64.init) ?? 400
    private static let variantCycles = environment["TIDINGS_SIMULATION_CYCLES"].flatMap(Int.init)
    /// The variant of the services in the other tests; nil by default.
    private static let variant = environment["TIDINGS_SIMULATION_VARIANT"].flatMap(Variant.init)

    @Test func nothingIsLostWhateverDiesOrDrops() async throws {
        let seeds = Self.firstSeed..<(Self.firstSeed + Self.seeds)
        let report = await Exploration.run(
            seeds: seeds,
            cycles: Self.cycles,
            variant: Self.variant,
            printsFailures: true
        )
        if Self.environment["TIDINGS_SIMULATION_SEEDS"] != nil {
            for (seed, fingerprint) in report.fingerprints.sorted(by: { $0.key < $1.key }) {
                print("seed \(seed): fingerprint \(String(fingerprint, radix: 16))")
            }
        }
        print(report.summary)
        for failure in report.failures.prefix(3) { Issue.record("\(Exploration.explain(failure))") }
    }

    // Delivery is killed, frozen and restored all the time, and its destinations, of which one gets a board and two are
    // devices, fail, hang and lie.
    @Test func eachDestinationGetsTheLastState() async throws {
        let seeds = Self.firstSeed..<(Self.firstSeed + min(Self.seeds, TestExtent.of(8, nightly: 100)))
        let report = await Exploration.run(seeds: seeds, cycles: Self.cycles, hasDelivery: true, printsFailures: true)
        print(report.summary)
        for failure in report.failures.prefix(3) { Issue.record("\(Exploration.explain(failure))") }
    }

    @Test func eachRuleIsNeeded() async {
        let found = await Exploration.firstFailures(
            of: Self.variants,
            among: 0..<Self.variantSeeds,
            cycles: Self.variantCycles
        )
        for variant in Self.variants {
            guard let failure = found[variant] else {
                Issue.record("no seed finds out that the rule of \(variant) is broken")
                continue
            }
            print("\(variant): seed \(failure.seed): \(failure.violation.what)")
        }
    }

    // Two dictionaries with equal elements have different orders, also within one process.
    @Test func theSameSeedGivesTheSameRun() async {
        let seeds = Self.firstSeed..<(Self.firstSeed + min(Self.seeds, TestExtent.of(4, nightly: 40)))
        let first = await Exploration.run(seeds: seeds, cycles: Self.cycles).fingerprints
        let second = await Exploration.run(seeds: seeds, cycles: Self.cycles).fingerprints
        for seed in seeds where first[seed] != second[seed] { Issue.record("\(Self.difference(of: seed))") }
    }

    /// Returns a sentence about the first line in which two runs of a seed differ.
    private static func difference(of seed: UInt64) -> String {
        func run() -> [String] {
            let simulation = Simulation(.init(seed: seed, cycles: Self.cycles, traces: true))
            simulation.run()
            return simulation.trace
        }
        // The order of a dictionary can happen to be the same.
        for _ in 0..<5 {
            let (first, second) = (run(), run())
            let same = zip(first, second).prefix { $0 == $1 }.count
            guard same < min(first.count, second.count) else { continue }
            return "seed \(seed) differs after \(same) lines: '\(first[same])' and '\(second[same])'"
        }
        return "seed \(seed) differs"
    }
}
