// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import WidgetSchema

/// The next changes of a board, by which the next wake of a sleeping panel is chosen.
struct BoardChanges: Hashable, Sendable {
    /// The next time at which the picture changes without new content; nil if there is none.
    var certain: Instant?
    /// The possible changes, one for each widget; by default, the content may change at any time.
    var possible: [PanelWake.PossibleChange] = [.anyTime]
}

extension PanelWake.PossibleChange {
    /// The time after a fetch within which its update may still be on its way.
    private static let updateDelay: Duration = .seconds(5)

    /// Creates the possible change of a source by its announced next fetch; `reported` is the latest known completed fetch.
    init(
        of source: SourceID,
        _ fetches: AnnouncedFetches,
        after reported: AnnouncedFetches.ReportedFetch?,
        at now: Instant
    ) {
        guard let fetch = fetches.fetch(of: source, after: reported, at: now) else {
            self = .anyTime
            return
        }
        if fetch.whenShown == nil, let ended = fetch.lastAttempt, ended <= now,
            now < ended.advanced(by: Self.updateDelay)
        {
            self = .anyTime
        } else {
            self = fetches.earliestAttempt(fetch, at: now).map { .attempt($0) } ?? .never
        }
    }
}

extension GatewayParts {
    /// Returns the times from which the contents of widgets may change, one for each widget, for ``PanelWake``.
    ///
    /// A source that is fetched when it is shown may change as soon as it may be fetched, because the fetch follows the wake.
    func possibleChanges(of widgets: Set<WidgetID>, now: Instant) -> [PanelWake.PossibleChange] {
        widgets.sorted().map { widget -> PanelWake.PossibleChange in
            guard let source = live.widget(widget)?.source, source.file == nil else { return .anyTime }
            let last = view.lastAttempt(widget)
            return view.withFetches { PanelWake.PossibleChange(of: source.id, $0, after: last?.reported, at: now) }
        }
    }

    /// Returns the wakes of panels for which sources are fetched.
    func expectedWakes(_ wakes: [PanelWakeTime]) -> [ExpectedWake] {
        wakes.compactMap { wake in
            live.board(wake.board).map { board in
                ExpectedWake(widgets: Set(board.cells.map(\.widget)), earliest: wake.earliest)
            }
        }
    }
}
