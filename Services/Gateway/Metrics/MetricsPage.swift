// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import Telemetry
import WidgetSchema

/// The gateway's metrics for Prometheus.
enum MetricsPage {
    /// The metrics with a label.
    ///
    /// Each metric combines all counters whose name begins with `prefix`. The rest of the counter's name becomes the
    /// value of the label `label`. `name` is the name of the metric for Prometheus, and `help` is its help text.
    private static let labelled: [(prefix: String, name: String, label: String, help: String)] = [
        ("gateway.requests.", "tidings_http_requests_total", "code", "Requests by the status of their answer."),
        ("gateway.refused.", "tidings_http_refused_total", "reason", "Rejected requests, by reason."),
        (
            "gateway.eventStreamsEnded.", "tidings_sse_closed_total", "reason",
            "Event streams that ended, by the reason."
        ),
        (Metrics.limitPrefix, "tidings_limit_reached_total", "limit", "How often each limit was reached."),
    ]

    private static let plain: [(source: String, name: String, kind: MetricsText.Kind, help: String)] = [
        ("gateway.eventReaders", "tidings_sse_streams", .gauge, "Event streams that are open."),
        (
            "gateway.eventsSent", "tidings_sse_events_sent_total", .counter,
            "Updates that were sent, counted once for each reader."
        ),
        (
            "gateway.missedUpdateBytes", "tidings_sse_missed_bytes", .gauge,
            "Updates kept for readers that connect again."
        ),
        ("gateway.eventsMerged", "tidings_sse_events_merged_total", .counter, "Updates merged for slow readers."),
        ("gateway.updates", "tidings_bus_updates_total", .counter, "Updates that the gateway took from the bus."),
        ("gateway.duplicates", "tidings_bus_duplicates_total", .counter, "Updates that came a second time."),
        (
            "gateway.gaps", "tidings_bus_gaps_total", .counter,
            "Gaps: updates that arrived while an earlier one was missing."
        ),
        ("gateway.malformed", "tidings_bus_malformed_total", .counter, "Messages that could not be read."),
        ("gateway.layoutRequests", "tidings_layout_requests_total", .counter, "Layouts requested to name pictures."),
        ("gateway.pictureHits", "tidings_picture_hits_total", .counter, "Pictures answered from the picture cache."),
        ("gateway.pictureMisses", "tidings_picture_misses_total", .counter, "Pictures that had to be drawn."),
        ("gateway.pictureCacheBytes", "tidings_picture_cache_bytes", .gauge, "Bytes of pictures in the picture cache."),
        ("gateway.panels", "tidings_panels", .gauge, "Panels that are configured or have a key."),
        ("gateway.panelsNeedAttention", "tidings_panels_attention", .gauge, "Panels with a warning."),
        ("gateway.panelDownloads", "tidings_panel_downloads_total", .counter, "Pictures that panels have loaded."),
        ("gateway.connections", "tidings_http_connections", .gauge, "Connections that are open."),
    ]

    /// The metrics of each panel, in its last report.
    private static let panels:
        [(name: String, kind: MetricsText.Kind, help: String, value: @Sendable (PanelReport.Entry) -> Double?)] = [
            ("tidings_panel_wakes_total", .counter, "Wakes of a panel.", { Double($0.wakes) }),
            (
                "tidings_panel_redraws_total", .counter, "Wakes at which a panel got another picture.",
                { Double($0.redraws) }
            ),
            (
                "tidings_panel_redraws_saved_total", .counter, "Wakes at which a panel kept its picture.",
                { Double($0.redrawsSaved) }
            ),
            (
                "tidings_panel_delay_seconds", .gauge,
                "The time from the last visible change of a board to the answer that showed it.",
                { $0.lastDelaySeconds.map { Double($0) } }
            ),
            (
                "tidings_panel_battery_volts", .gauge, "The voltage of a panel's battery.",
                { $0.batteryMillivolts.map { Double($0) / 1_000 } }
            ),
            (
                "tidings_panel_signal_dbm", .gauge, "The strength of a panel's radio signal.",
                { $0.signal.map { Double($0) } }
            ),
            (
                "tidings_panel_last_wake_time_seconds", .gauge, "When a panel woke last, in Unix seconds.",
                { $0.lastWake.map { Double($0.milliseconds) / 1_000 } }
            ),
        ]

    /// Returns the metrics of this gateway.
    static func own(_ gateway: GatewayParts) -> String {
        let metrics = gateway.metrics.reading()
        var page = MetricsText()
        for (prefix, name, label, help) in labelled {
            let samples = metrics.counters.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.map {
                key,
                value in
                (labels: [(label, String(key.dropFirst(prefix.count)))], value: Double(value))
            }
            page.add(name, .counter, help, samples)
        }
        for (source, name, kind, help) in plain {
            let value = (kind == .gauge ? metrics.gauges : metrics.counters)[source] ?? 0
            page.add(name, kind, help, [([], Double(value))])
        }
        let entries = gateway.panels.lastReport?.panels ?? []
        for (name, kind, help, value) in panels {
            page.add(
                name,
                kind,
                help,
                entries.compactMap { entry in
                    guard let label = panelLabel(of: entry) else { return nil }
                    return value(entry).map { (labels: [("panel", label)], value: $0) }
                }
            )
        }
        page.add("tidings_widgets", .gauge, "Widgets that the gateway knows.", [([], Double(gateway.view.count))])
        page.add(
            "tidings_http_request_duration_seconds",
            "The time from the end of a request to the beginning of its response.",
            metrics.histograms.filter { $0.key == "gateway.requestDuration" }.map { ([], DurationHistogram($0.value)) }
        )
        return page.text
    }

    /// Returns the label of a panel; nil if it has none of its own.
    ///
    /// A record that is no longer in the configuration may have the name of a configured panel.
    static func panelLabel(of entry: PanelReport.Entry) -> String? {
        entry.state == .unconfigured ? entry.id?.rawValue : entry.name?.rawValue ?? entry.id?.rawValue
    }

    /// Returns the metrics that the last heartbeats of all instances contain.
    static func system(_ gateway: GatewayParts) -> String {
        let instances = gateway.view.instances.sorted { $0.key < $1.key }
        func labels(_ name: String) -> [(String, String)] {
            let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
            return [("service", parts.first ?? ""), ("instance", parts.count > 1 ? parts[1] : "")]
        }
        var page = MetricsText()
        page.add(
            "tidings_instance_ready",
            .gauge,
            "1 if the instance's last heartbeat said that it is ready.",
            instances.map { (labels($0.key), $0.value.data.state == .ready ? 1 : 0) }
        )
        page.add(
            "tidings_instance_start_time_seconds",
            .gauge,
            "When the instance started, in Unix seconds.",
            instances.map { (labels($0.key), Double($0.value.data.startedAt.milliseconds) / 1000) }
        )
        typealias Labels = [(String, String)]
        func samples<Value>(_ values: KeyPath<Health, [String: Value]>) -> [(labels: Labels, value: Value)] {
            instances.flatMap { name, event in
                event.data[keyPath: values].sorted { $0.key < $1.key }.map {
                    (labels(name) + [("name", $0.key)], $0.value)
                }
            }
        }
        page.add(
            "tidings_instance_total",
            .counter,
            "The counters in the last heartbeat of each instance, by name.",
            samples(\.counters).map { ($0.labels, Double($0.value)) }
        )
        page.add(
            "tidings_instance_value",
            .gauge,
            "The gauges in the last heartbeat of each instance, by name.",
            samples(\.gauges).map { ($0.labels, Double($0.value)) }
        )
        page.add(
            "tidings_instance_duration_seconds",
            "The durations in the last heartbeat of each instance, by name.",
            samples(\.histograms)
        )
        return page.text
    }
}
