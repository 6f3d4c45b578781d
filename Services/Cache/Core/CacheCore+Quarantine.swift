// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import RefreshRules
import WidgetSchema

/// A source of which no fetcher has brought an outcome for several leases in a row.
struct QuarantinedSource: Hashable, Sendable {
    /// One of the widgets that show it, the first by id.
    var widget: WidgetID
    /// The host and port that it is asked at; empty for a file.
    var host: String
    /// Leases in a row that ran out.
    var leases: Int
}

/// Sources whose leases run out: perhaps their documents end or occupy the fetchers that read them.
extension CacheCore {
    /// The number of leases in a row after which a source is named: one lease is lost whenever a fetcher dies.
    static let reportedAbandonedLeases = 2

    /// Returns the pause after a number of leases in a row that ran out.
    ///
    /// The first lease is lost whenever a fetcher dies, so its pause is short. After the second one the source is
    /// suspected, and its pause starts at a minute.
    func quarantine(afterLeases count: Int) -> Int64 {
        guard count >= Self.reportedAbandonedLeases else { return limits.firstQuarantine }
        return RefreshPolicy.doubled(
            limits.repeatedQuarantine,
            count - Self.reportedAbandonedLeases + 1,
            atMost: limits.maximumQuarantine
        )
    }

    /// Reports the quarantined sources, if `source` became one, stopped being one, or lost one more lease.
    mutating func reportQuarantine(of source: SourceID) -> [CacheAction] {
        let count = sources[source] == nil ? 0 : state.sources[source]?.abandonedLeases ?? 0
        let isQuarantined = count >= Self.reportedAbandonedLeases
        guard isQuarantined || quarantined.contains(source) else { return [] }
        if isQuarantined { quarantined.insert(source) } else { quarantined.remove(source) }
        return [.reportQuarantine(quarantinedSources)]
    }

    /// Finds the quarantined sources of a state that was loaded.
    mutating func findQuarantined() -> [CacheAction] {
        quarantined = Set(
            state.sources.lazy.filter { $0.value.abandonedLeases >= Self.reportedAbandonedLeases }.map(\.key)
        )
        return quarantined.isEmpty ? [] : [.reportQuarantine(quarantinedSources)]
    }

    private var quarantinedSources: [QuarantinedSource] {
        quarantined.compactMap { id in
            guard let record = state.sources[id], let widget = sources[id]?.widgets.min() else { return nil }
            return QuarantinedSource(widget: widget, host: host(of: id), leases: record.abandonedLeases)
        }
        .sorted { $0.widget < $1.widget }
    }
}
