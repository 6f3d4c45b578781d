// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import OriginRules
import WidgetSchema

/// The possible changes of a sleeping panel's board.
extension GatewayParts {
    /// Returns the times from which the contents of widgets may change, one for each widget, for ``PanelWake``.
    ///
    /// A source that is fetched when it is shown may change as soon as it may be fetched, because the fetch follows the wake.
    func possibleChanges(of widgets: Set<WidgetID>, now: Instant) -> [PanelWake.PossibleChange] {
        widgets.sorted().map { widget -> PanelWake.PossibleChange in
            guard let source = live.widget(widget)?.source, source.file == nil else { return .anyTime }
            let last = view.lastAttempt(widget)
            return view.withFetches { fetches -> PanelWake.PossibleChange in
                guard let fetch = fetches.fetch(of: source.id, after: last?.reported, at: now) else { return .anyTime }
                return fetches.earliestAttempt(fetch, at: now).map { .attempt($0) } ?? .never
            }
        }
    }
}
