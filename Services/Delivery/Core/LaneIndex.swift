// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The ledger that counts a message: that of its lane, or that of a device whose widgets share one.
enum LedgerPlace: Hashable, Sendable {
    case lane(LaneKey)
    case destination(DestinationName)
}

/// The part of a ledger in the sums of the report.
struct LedgerShare: Hashable, Sendable {
    var spent = 0
    var left = 0
    /// The time at which the oldest message of the last 24 hours no longer counts; nil if there is none.
    var end: Instant?
}

/// The lanes of each destination, and the sums over all lanes.
///
/// They are kept up to date with each change, because there may be a million lanes.
struct LaneIndex: Sendable {
    private var subjects: [DestinationName: Set<DeliverySubject>] = [:]
    /// The number of lanes of destinations of the configuration.
    private var configured = 0
    private var ofDevices = 0
    /// The lanes in which something waits or is in flight.
    private(set) var waiting: Set<LaneKey> = []
    /// The lanes whose last attempt failed.
    private(set) var failing: Set<LaneKey> = []
    /// The messages of the last 24 hours that budgets count.
    private(set) var spent = 0
    /// The messages that budgets allow at present.
    private(set) var left = 0

    /// Returns the lanes of a destination in order.
    subscript(name: DestinationName) -> [LaneKey] {
        (subjects[name] ?? []).sorted().map { LaneKey(destination: name, subject: $0) }
    }

    /// Returns the number of lanes that count against the same limit as those of a destination.
    func count(alongside name: DestinationName) -> Int { name.isDevice ? ofDevices : configured }

    mutating func insert(_ key: LaneKey) {
        guard subjects[key.destination, default: []].insert(key.subject).inserted else { return }
        if key.destination.isDevice { ofDevices += 1 } else { configured += 1 }
    }

    mutating func remove(_ key: LaneKey) {
        guard subjects[key.destination]?.remove(key.subject) != nil else { return }
        if subjects[key.destination]?.isEmpty == true { subjects[key.destination] = nil }
        if key.destination.isDevice { ofDevices -= 1 } else { configured -= 1 }
        note(key, isWaiting: false, isFailing: false)
    }

    mutating func note(_ key: LaneKey, isWaiting: Bool, isFailing: Bool) {
        if isWaiting { waiting.insert(key) } else { waiting.remove(key) }
        if isFailing { failing.insert(key) } else { failing.remove(key) }
    }

    mutating func replace(_ old: LedgerShare, by new: LedgerShare) {
        spent += new.spent - old.spent
        left += new.left - old.left
    }
}
