// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import WebServer
import WidgetSchema

/// The times at which a picture may change next.
///
/// There are two kinds. *Certain* changes, such as midnight, are a function of the cycle, and part of each update.
/// *Possible* changes are the outcomes of fetches, which the cache schedules and announces.
struct NextChanges {
    /// The next certain change; nil if there is none.
    let certain: Instant?
    /// The next attempt to fetch the content; nil if there will be none by itself.
    let attempt: Instant?

    /// The earliest time at which the picture may change; nil if no change is planned.
    var earliest: Instant? { [certain, attempt].compactMap(\.self).min() }

    var headers: [WebHeader] {
        [(WidgetRoutes.nextChangeHeader, earliest), (WidgetRoutes.nextCertainChangeHeader, certain)]
            .compactMap { name, instant in instant.map { WebHeader(name, $0.description) } }
    }
}

extension GatewayParts {
    /// Returns the next changes of a widget; if `display` is nil, all its displays count.
    ///
    /// The times are never earlier than `now`.
    func nextChanges(_ update: StreamedUpdate, on display: DisplayName? = nil, now: Instant) -> NextChanges {
        NextChanges(
            certain: nextCertainChange(update, on: display, now: now),
            attempt: nextAttempt(update, now: now)
        )
    }

    /// Returns the next time at which the widget may look different without new content; nil if there is none.
    ///
    /// If `display` is nil, all displays of the widget count. If the cycle for that time is overdue, the time is
    /// ``AnnouncedFetches/overdueDelay`` from now.
    private func nextCertainChange(_ update: StreamedUpdate, on display: DisplayName?, now: Instant) -> Instant? {
        let shown = update.event.data.displays.filter { display == nil || $0.key == display }
        let change = shown.values.compactMap(\.nextChange).min() ?? changeOfEarlierVersion(update, on: shown.keys)
        return change.map { AnnouncedFetches.notPast($0, at: now) }
    }

    /// Returns the next certain change after an update of a layout service that did not tell it.
    private func changeOfEarlierVersion(
        _ update: StreamedUpdate,
        on names: some Collection<DisplayName>
    ) -> Instant? {
        guard let widget = live.widget(update.widget), let committed = update.event.data.times.committed else {
            return nil
        }
        let displays = live.displays(of: widget).filter { names.contains($0.name) }
        return VisibleChange.next(for: widget.definition, on: displays, after: committed)
    }

    /// Returns the time of the next attempt to fetch the widget's content; nil if there will be none by itself.
    func nextAttempt(_ update: StreamedUpdate, now: Instant) -> Instant? {
        guard let widget = live.widget(update.widget), let source = widget.source else { return nil }
        let (id, last) = (source.id, view.lastAttempt(widget.id))
        let announced: Instant?? = view.withFetches { fetches in
            fetches.fetch(of: id, after: last?.reported, at: now).map { fetches.nextAttempt($0, at: now) }
        }
        if let announced { return announced }
        return plannedAttempt(of: widget, update).map { AnnouncedFetches.notPast($0, at: now) }
    }

    /// Returns the time of the next attempt by the configured interval, for a source whose next fetch is unknown.
    ///
    /// Nil if no update has reported an attempt, or if the source is fetched when it is shown. The time may have passed.
    func plannedAttempt(of widget: TidingsConfiguration.Widget, _ update: StreamedUpdate) -> Instant? {
        if let planned = update.event.data.failure?.nextAttempt { return planned }
        guard !widget.isFetchedWhenShown else { return nil }
        let last = view.lastAttempt(widget.id)?.at ?? update.event.data.times.committed
        return last?.advanced(by: widget.interval)
    }
}
