// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine

/// The protocol with one of its rules broken: the naive choice in its place.
///
/// The services' cores stay as they are; what carries their inputs and outputs cheats. Each must be found.
enum Variant: String, CaseIterable, Sendable {
    /// 1: what was trimmed is not covered by a range.
    case withoutRanges
    /// 1: what was trimmed comes as the last record alone, for all numbers asked for.
    case onlyTheLastRecord
    /// 1: what was handled is handled again.
    case withoutPositions
    /// 1: heads are not followed.
    case withoutHeads
    /// 12: a restored store numbers its updates on in the same epoch.
    case epochKept
    /// 2: duplicates are known by the event's id.
    case duplicatesByID
    /// 3: a range's verdict is believed although it is relative to something else.
    case verdictsAsTheyAre
    /// 4: a cycle without a new content is laid out with the latest one at hand.
    case latestContent
    /// 5: layout shows the moment at which it draws.
    case instantOfLayout
    /// 5: layout has displays of its own, and no cycle says that they changed.
    case displaysOfLayout
    /// 6: due instants are forgotten by a restart.
    case clockForgets
    /// 8: layouts are taken as they come, and none is asked for.
    case withoutRender
    /// 10: content and cycles are written one after the other.
    case twoTransactions
    /// 10: a failed commit leaves the core as it is.
    case withoutReload
    /// 10: published first, committed later.
    case publishBeforeCommit
    /// 11: nobody looks at the token.
    case withoutFencing
    /// 12: a widget without a number starts at one.
    case startAtOne
    /// 12: a restored store goes on as if nothing had happened.
    case restoreUnmarked
    /// 12: a removed widget has no last cycle.
    case withoutLastCycle
    /// 13: leases are in memory only.
    case leasesInMemory
    /// 13: an outcome counts whatever its lease.
    case anyLeaseCounts
    /// 13: lease ids begin anew with each start.
    case leaseIDsAgain
    /// 14: a fetch goes on after its lease.
    case withoutDeadline
    /// 16: what killed three fetchers is given up.
    case finalQuarantine
    /// 17: a command says "toggle", is sent again as a new one, and nobody counts.
    case toggles
    /// A failed attempt hides what is seen to change.
    case failureHidesChange

    /// 10: what a batch says that could not be committed is said.
    case effectsOfFailedBatch
    /// 10: a store that has just failed is written to again.
    case writesWhilePaused
    /// 11: nobody looks at the token where nothing is written.
    case unfencedAnswers
    /// 10: what was committed last is not published again at a start.
    case withoutStart
    /// Nothing is done unless something arrives.
    case withoutDeadlines

    /// The rule of the engine that is broken.
    var engineFaults: EngineFaults {
        switch self {
        case .publishBeforeCommit: .effectsBeforeCommit
        case .withoutReload: .keptCore
        case .effectsOfFailedBatch: .effectsOfFailedBatch
        case .writesWhilePaused: .writesWhilePaused
        case .unfencedAnswers: .unfencedAnswers
        case .withoutStart: .noStart
        case .withoutDeadlines: .noDeadlines
        default: []
        }
    }

    /// A seed that has found it; where it no longer does, the others are tried.
    var foundBySeed: UInt64 {
        switch self {
        case .twoTransactions, .toggles: 1
        case .clockForgets, .withoutDeadline, .failureHidesChange: 2
        case .latestContent: 3
        case .publishBeforeCommit, .restoreUnmarked, .epochKept: 4
        case .withoutRanges, .displaysOfLayout, .withoutFencing, .anyLeaseCounts: 5
        case .verdictsAsTheyAre: 11
        case .finalQuarantine: 16
        case .withoutLastCycle: 18
        case .leaseIDsAgain: 21
        case .withoutHeads: 22
        case .withoutReload: 23
        default: 0
        }
    }
}
