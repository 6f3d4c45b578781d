// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A source that has not changed for far longer than it used to.
struct SilentSource: Hashable, Sendable {
    /// One of the widgets that show it, the first by id.
    var widget: WidgetID
    /// Between two changes, before.
    var usualPauseMilliseconds: Int64
    var lastChange: Instant
}

/// Sources that answer, and have nothing new for too long: a feed whose site goes on without it looks like that.
extension CacheCore {
    /// The interval at which silent sources are looked for.
    static let silenceCheckInterval: Int64 = 5 * 60_000

    mutating func checkSilence(now: Instant) -> [CacheAction] {
        guard let due = nextSilenceCheck, now >= due else { return [] }
        nextSilenceCheck = now.advanced(byMilliseconds: Self.silenceCheckInterval)
        var silent: [SilentSource] = []
        for (id, record) in state.sources {
            guard let cadence = record.cadence, let from = cadence.silentFrom, from <= now, record.goneSince == nil,
                let widget = sources[id]?.widgets.min()
            else { continue }
            silent.append(
                SilentSource(
                    widget: widget,
                    usualPauseMilliseconds: cadence.pause,
                    lastChange: cadence.lastChange
                )
            )
        }
        silent.sort { $0.widget < $1.widget }
        guard silent != silentSources else { return [] }
        silentSources = silent
        return [.reportSilence(silent)]
    }
}
