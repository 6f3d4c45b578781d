// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import OriginRules
import ServiceEngine
import WidgetSchema

/// A source whose last two or more leases expired without an outcome.
struct QuarantinedSource: Hashable, Sendable {
    /// The source's widget with the lowest id; reports name this widget, because sources have no readable name.
    var widget: WidgetID
    /// The host and port of the source's address; empty for a file.
    var host: String
    /// The number of consecutive leases that expired.
    var leases: Int
}

/// The quarantine of sources whose leases expire.
///
/// The document of such a source may crash or block each fetcher that parses it.
extension CacheCore {
    /// The minimum number of consecutive expired leases at which a source is reported.
    ///
    /// A single expired lease is not reported, because every fetcher that dies leaves one.
    static let reportedAbandonedLeases = 2

    /// Returns the pause before the next fetch of a source after `count` consecutive expired leases.
    ///
    /// Every fetcher that dies leaves an expired lease, so the pause after the first expired lease is short:
    /// `firstQuarantine`. From the second one on, the source is the suspected cause: the pause starts at
    /// `repeatedQuarantine`, and doubles with each further expired lease, up to `maximumQuarantine`.
    func quarantine(afterLeases count: Int) -> Duration {
        guard count >= Self.reportedAbandonedLeases else { return limits.firstQuarantine }
        return RefreshPolicy.doubled(
            limits.repeatedQuarantine,
            count - Self.reportedAbandonedLeases + 1,
            atMost: limits.maximumQuarantine
        )
    }

    /// Reports all quarantined sources if `source` is quarantined now, or was quarantined until now.
    mutating func reportQuarantine(of source: SourceID) -> CacheStep {
        let count = sources[source] == nil ? 0 : state.sources[source]?.abandonedLeases ?? 0
        let isQuarantined = count >= Self.reportedAbandonedLeases
        guard isQuarantined || reports.quarantined.contains(source) else { return CacheStep() }
        if isQuarantined { reports.quarantined.insert(source) } else { reports.quarantined.remove(source) }
        return CacheStep(effects: [.reportQuarantine(quarantinedSources)])
    }

    /// Finds and reports the quarantined sources after the state was loaded.
    mutating func findQuarantined() -> CacheStep {
        reports.quarantined = Set(
            state.sources.lazy.filter { $0.value.abandonedLeases >= Self.reportedAbandonedLeases }.map(\.key)
        )
        return CacheStep(effects: reports.quarantined.isEmpty ? [] : [.reportQuarantine(quarantinedSources)])
    }

    private var quarantinedSources: [QuarantinedSource] {
        reports.quarantined.compactMap { id in
            guard let record = state.sources[id], let widget = sources[id]?.widgets.min() else { return nil }
            return QuarantinedSource(widget: widget, host: host(of: id), leases: record.abandonedLeases)
        }
        .sorted { $0.widget < $1.widget }
    }
}
