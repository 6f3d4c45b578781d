// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The protocol with one broken rule, usually the naive alternative; the numbers are those of the rules.
///
/// The services' cores and their engine are unchanged; the code that passes their inputs, writes and effects breaks the
/// rule. Every variant must
/// be detected.
enum Variant: String, CaseIterable, Sendable {
    /// 1: trimmed records are not covered by a range.
    case withoutRanges
    /// 1: only the last record covers all requested numbers.
    case onlyTheLastRecord
    /// 1: handled messages are handled again.
    case withoutPositions
    /// 1: heads are ignored.
    case withoutHeads
    /// 12: a restored store numbers its updates on in the same epoch.
    case epochKept
    /// 2: duplicates are known by the event's id.
    case duplicatesByID
    /// 3: the verdict of a range is applied although it is relative to another state.
    case verdictsAsTheyAre
    /// 4: a cycle without new content is laid out with the latest available content.
    case latestContent
    /// 5: a layout shows the time at which it is made.
    case instantOfLayout
    /// 5: the layout service has its own displays, and no cycle reports their changes.
    case displaysOfLayout
    /// 6: a restart loses due times.
    case clockForgets
    /// 8: layouts are used as they arrive, and none is requested.
    case withoutRender
    /// 10: content and cycles are written in two transactions.
    case twoTransactions
    /// 10: a failed commit leaves the core unchanged.
    case withoutReload
    /// 10: cycles are published before they are committed.
    case publishBeforeCommit
    /// 11: the token is not checked.
    case withoutFencing
    /// 12: a removed widget has no last cycle.
    case withoutLastCycle
    /// 13: leases are only in memory.
    case leasesInMemory
    /// 13: an outcome is accepted for any lease.
    case anyLeaseCounts
    /// 13: each start reuses the same lease ids.
    case leaseIDsAgain
    /// 14: a fetch continues after its lease.
    case withoutDeadline
    /// 16: a document that killed three fetchers is never fetched again.
    case finalQuarantine
    /// 17: a command toggles, each retry is a new command, and no counter is checked.
    case toggles
    /// Lease: an idle owner does not renew its lease.
    case withoutRenewals
    /// Lease: a standby takes over although the owner has come back since it looked.
    case takeoverWithoutCheck
    /// Lease: a standby checks the owner without a lock, and the owner goes on before the takeover is committed.
    case takeoverWithoutLock
    /// 11: a transaction checks the token without a lock, and another process takes over before the commit.
    case commitWithoutLock
    /// Lease: an owner that was suspended acts without asking its store.
    case withoutTrustLimit
    /// Roles: standbys register as other instances do, and get requests.
    case withoutRoles
    /// Leases of fetchers end at a time of the clock of the machine before.
    case leasesOfAnotherClock
    /// Forks: a promoted server is taken for the former primary.
    case forkUnmarked
    /// Forks: a notifier on a promoted server numbers its updates on in the same epoch.
    case forkKeepsEpoch
    /// Forks: a token of a former primary is given again by the new one.
    case tokensOfAnyTimeline
    /// Forks: a commit counts although no replica has acknowledged it.
    case unacknowledgedCommits
    /// The notifier does not compare the heads of the cache with its positions.
    case headsNotCompared
    /// The notifier does not ask the cache whether it made doubtful cycles.
    case confirmNotAsked
    /// A cache whose store was taken over says that it made cycles, which it could not commit.
    case confirmedByFencedCache
    /// Readers keep their positions in another epoch.
    case positionsKept
    /// A reader takes its last snapshot for one of the epoch that has begun.
    case oldSnapshotAccepted
    /// A failed attempt hides a visible change.
    case failureHidesChange

    /// Instances of the layout service that are silent keep their share of the widgets.
    case silentLayoutsShare
    /// Instances with an older engine share the widgets with those of the newest.
    case olderEnginesShare
    /// Each layout instance computes the shares in its own way.
    case sharesDiffer
    /// Replays are requested from one layout instance, whether it answers or not.
    case replayOfOneInstance
    /// A request stays at the bus that it was sent to first.
    case requestsStay
    /// Messages are published on the first bus alone.
    case publishOnOneBus
    /// Both copies of a message are delivered.
    case withoutMerging

    /// 10: the effects of a batch that could not be committed are performed.
    case effectsOfFailedBatch
    /// 10: a store is written to immediately after a failed commit.
    case writesWhilePaused
    /// 11: the token is not checked for an empty batch.
    case unfencedAnswers
    /// 10: the last commits are not published again at a start.
    case withoutStart
    /// Deadlines are ignored: only inputs cause work.
    case withoutDeadlines
    /// Sources that are fetched when they are shown are fetched at an interval.
    case restsNotKept
    /// The cache forgets when panels wake.
    case shownForgotten

    /// Delivery: a board is sent only if its first cell has changed.
    case boardOfFirstCell
    /// Delivery: a start forgets which state of a board its destinations know.
    case boardAtEachStart
    /// Delivery: one widget of each device is never pushed.
    case widgetOfDeviceForgotten
    /// Delivery: a push that reloads all widgets also counts for changes that come after its begin.
    case pushCoversLaterChanges

    /// A Boolean value that indicates whether the variant breaks a rule of the service delivery, which only some runs have.
    var isOfDelivery: Bool {
        switch self {
        case .boardOfFirstCell, .boardAtEachStart, .widgetOfDeviceForgotten, .pushCoversLaterChanges: true
        default: false
        }
    }

    /// The number of cycles after which a run detects the variant.
    var cycles: Int {
        switch self {
        case .finalQuarantine, .withoutHeads: 60
        default: 30
        }
    }

    /// A seed that has detected the variant; if it no longer does, the others are tried.
    var foundBySeed: UInt64 {
        switch self {
        case .boardAtEachStart, .boardOfFirstCell, .commitWithoutLock, .displaysOfLayout, .duplicatesByID,
            .effectsOfFailedBatch, .latestContent, .onlyTheLastRecord, .pushCoversLaterChanges, .toggles,
            .widgetOfDeviceForgotten, .writesWhilePaused:
            1
        case .clockForgets: 2
        case .anyLeaseCounts, .confirmNotAsked, .headsNotCompared, .leasesInMemory, .withoutDeadlines: 3
        case .publishBeforeCommit: 4
        case .withoutRanges: 5
        case .unfencedAnswers: 6
        case .leaseIDsAgain, .withoutReload: 8
        case .requestsStay, .restsNotKept: 10
        case .shownForgotten, .withoutTrustLimit: 11
        case .takeoverWithoutLock: 13
        case .failureHidesChange, .takeoverWithoutCheck: 14
        case .leasesOfAnotherClock: 17
        case .olderEnginesShare, .silentLayoutsShare: 18
        case .withoutLastCycle: 21
        case .twoTransactions: 24
        case .sharesDiffer, .verdictsAsTheyAre: 26
        case .publishOnOneBus: 27
        case .epochKept: 29
        case .withoutHeads: 31
        case .forkKeepsEpoch: 34
        case .unacknowledgedCommits: 38
        case .replayOfOneInstance: 44
        case .forkUnmarked, .tokensOfAnyTimeline: 50
        case .confirmedByFencedCache: 53
        case .finalQuarantine: 55
        case .oldSnapshotAccepted, .positionsKept: 73
        default: 0
        }
    }
}
