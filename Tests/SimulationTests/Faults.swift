// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The kinds of faults.
///
/// A failing run is repeated without each of them, until only the necessary ones are left.
enum FaultKind: String, CaseIterable, Sendable {
    case drops
    case duplicates
    case delays
    case crashes
    case pauses
    case failedCommits
    case standbys
    case forks
    case interleavings
    case disputes
    case restores
    case wipes
    case removals
    case displays
    case busCrashes
    case slowFetches
    case outages
    case presses
    case retirements
    case forgeries
    case panels
}

/// The probability of each fault in one run; every seed has its own mixture.
struct Faults {
    /// The maximum latency of a slow message, in milliseconds.
    static let longestDelay: Int64 = 9000
    var drop: Double
    var duplicate: Double
    var slow: Double
    var crash: [ServiceName: Double]
    var pause: Double
    var failedCommit: Double
    var slowFetch: Double
    var history: Int
    let without: Set<FaultKind>

    init(seed: UInt64, without: Set<FaultKind>) {
        let dice = Dice(seed: seed, stream: 0)
        self.without = without
        func unless(_ kind: FaultKind, _ choices: [Double]) -> Double {
            let choice = dice.pick(choices)
            return without.contains(kind) ? 0 : choice
        }
        history = dice.pick([2, 8, 8])
        drop = unless(.drops, [0, 0.02, 0.1, 0.3])
        duplicate = unless(.duplicates, [0, 0.05, 0.2])
        slow = unless(.delays, [0, 0.02, 0.1])
        crash = [:]
        for service in [ServiceName.cache, .layout, .notifier] { crash[service] = unless(.crashes, [0, 0.001, 0.004]) }
        crash[.fetcher] = unless(.crashes, [0, 0.002, 0.01])
        pause = unless(.pauses, [0, 0.0005, 0.002])
        failedCommit = unless(.failedCommits, [0, 0.003, 0.01])
        slowFetch = unless(.slowFetches, [0.02, 0.1, 0.3])
        crash[.gateway] = unless(.crashes, [0, 0.001, 0.004])
    }

    func has(_ kind: FaultKind) -> Bool { !without.contains(kind) }
}
