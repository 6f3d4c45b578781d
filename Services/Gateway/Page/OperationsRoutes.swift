// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Locking
import ServiceRuntime
import Telemetry
import WebServer
import WidgetSchema

/// A thread-safe ``UpdateHistory``: the gateway's thread writes it, and the handlers of HTTP requests read it.
final class SharedUpdateHistory: Sendable {
    private let history: Lock<UpdateHistory>

    init(start: Instant) { history = Lock(UpdateHistory(start: start)) }

    var minutes: [UpdateHistory.Minute] { history.withLock(\.minutes) }

    func take(_ update: StreamedUpdate) { history.withLock { $0.take(update.event.data, now: .now) } }
}

/// The routes of the web pages' JSON documents: the display list, the source list and the operations report.
///
/// The data of widgets is served by `WidgetRoutes`.
struct OperationsRoutes: Sendable {
    let gateway: GatewayParts

    var routes: [Route] {
        [
            Route(
                path: "/v1/displays",
                id: "listConfiguredDisplays",
                summary: "The configured displays.",
                responses: [.ok("The document.", schema: "DisplayCatalogue")],
                handle: { _ throws(Problem) in
                    let displays = gateway.configuration.displays.map(DisplayCatalogue.Entry.init)
                    return .now(try .json(DisplayCatalogue(displays: displays)))
                }
            ),
            Route(
                path: "/v1/sources",
                id: "listSources",
                summary: "The sources and their last fetch results.",
                responses: [.ok("The document.", schema: "SourceList")],
                handle: { _ throws(Problem) in .now(try .json(SourceList(sources: sources(now: .now)))) }
            ),
            Route(
                path: "/v1/operations",
                id: "getOperations",
                summary: "Verdicts, latencies and limits since the start.",
                responses: [.ok("The document.", schema: "OperationsReport")],
                handle: { _ throws(Problem) in .now(try .json(report(now: .now))) }
            ),
        ]
    }

    private func report(now: Instant) -> OperationsReport {
        let metrics = gateway.metrics.reading()
        return OperationsReport(
            at: now,
            startedAt: gateway.startedAt,
            widgets: gateway.configuration.widgets.count,
            minutes: gateway.updateHistory.minutes,
            counters: metrics.counters,
            gauges: metrics.gauges,
            warnings: gateway.configuration.warnings
        )
    }

    /// Returns one entry for each source, with the widgets that use it, and one entry for each widget whose content is
    /// pushed.
    ///
    /// Widgets with the same address, but other headers, have different sources.
    private func sources(now: Instant) -> [SourceList.Entry] {
        var entries: [String: SourceList.Entry] = [:]
        var ids: [String: SourceID] = [:]
        for widget in gateway.configuration.widgets {
            let address = widget.source.map { ShownURL.text($0.url) } ?? TidingsConfiguration.pushedSource
            let id = widget.source?.id
            let key = widget.source.map { "\($0.url) \($0.id)" } ?? "\(TidingsConfiguration.pushedSource) \(widget.id)"
            ids[key] = id
            var entry = entries[key] ?? SourceList.Entry(address: address)
            entry.widgets.append(widget.id)
            if widget.source != nil {
                entry.intervalSeconds = min(entry.intervalSeconds ?? .max, widget.interval.components.seconds)
            }
            if let update = gateway.view[widget.id] {
                let planned = id == nil ? nil : gateway.plannedAttempt(of: widget, update)
                entry.take(update.event.data, gateway.view.lastAttempt(widget.id), planned: planned)
            }
            entries[key] = entry
        }
        gateway.view.withFetches { fetches in
            for (key, id) in ids { entries[key]?.apply(fetches, of: id, now: now) }
        }
        return entries.sorted { $0.key < $1.key }.map(\.value)
    }
}
