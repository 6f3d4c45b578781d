// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// A source that has not changed for much longer than usual.
struct SilentSource: Hashable, Sendable {
    /// The source's widget with the lowest id; reports name this widget, because sources have no readable name.
    var widget: WidgetID
    /// The usual time between two changes.
    var usualInterval: Duration
    var lastChange: Instant
}

/// The detection of silent sources.
///
/// A silent source still answers, but has not changed for much longer than usual, such as a feed that its site no
/// longer updates.
extension CacheCore {
    /// The time between two checks for silent sources.
    static let silenceCheckInterval: Duration = .seconds(5 * 60)

    mutating func checkSilence(now: Instant) -> CacheStep {
        guard let due = reports.nextSilenceCheck, now >= due else { return CacheStep() }
        reports.nextSilenceCheck = now.advanced(by: Self.silenceCheckInterval)
        var silent: [SilentSource] = []
        for (id, record) in state.sources {
            guard let cadence = record.cadence, let from = cadence.silentFrom, from <= now, record.goneSince == nil,
                // A source that rests is not silent: nobody asks it.
                !sources.isFetchedWhenShown(id) || record.lastAttempt.map({ $0 >= from }) ?? false,
                let widget = sources[id]?.widgets.min()
            else { continue }
            silent.append(
                SilentSource(
                    widget: widget,
                    usualInterval: cadence.usualInterval,
                    lastChange: cadence.lastChange
                )
            )
        }
        silent.sort { $0.widget < $1.widget }
        guard silent != reports.silent else { return CacheStep() }
        reports.silent = silent
        return CacheStep(effects: [.reportSilence(silent)])
    }
}
