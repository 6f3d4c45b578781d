// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
import Locking
import Telemetry
import WidgetSchema

/// The work on panels that the gateway's thread starts, on the queue of the panels.
final class PanelWorker: Sendable {
    /// The time between two reports of the panels as metrics, and in the gateway's health.
    private static let reportInterval: Duration = .seconds(10)

    private struct State {
        /// A Boolean value that indicates whether an update waits or runs.
        var isUpdating = false
        var reportedAt: ContinuousClock.Instant?
    }

    private let state = Lock(State())
    private let gateway: GatewayParts
    private let health: GatewayHealth

    init(gateway: GatewayParts, health: GatewayHealth) {
        self.gateway = gateway
        self.health = health
    }

    /// Answers a request by calling `reply` on the queue of the panels.
    func answer(_ request: PanelsRequest, reply: @escaping @Sendable (PanelEffect) -> Void) {
        let panels = gateway.panels
        panels.queue.async {
            if request.action == .list, let report = panels.report() { return reply(.report(report)) }
            reply(panels.answer(.request(request)))
        }
    }

    /// Takes over the next wakes of all panels, and reports the panels if that is due.
    ///
    /// Does nothing while an earlier update waits for the disk.
    func update(at now: ContinuousClock.Instant) {
        let isFirst = state.withLock { state in
            defer { state.isUpdating = true }
            return !state.isUpdating
        }
        if isFirst { gateway.panels.queue.async { self.runUpdate(at: now) } }
    }

    private func runUpdate(at now: ContinuousClock.Instant) {
        if let wakes = gateway.panels.changedWakes() { gateway.shown.set(gateway.expectedWakes(wakes)) }
        let isDue = state.withLock { state in
            guard state.reportedAt.map({ now - $0 >= Self.reportInterval }) ?? true else { return false }
            state.reportedAt = now
            return true
        }
        if isDue { report() }
        state.withLock { $0.isUpdating = false }
    }

    private func report() {
        guard let report = gateway.panels.report() else { return }
        health.set(attention: report.attention)
        let (metrics, panels) = (gateway.metrics, report.panels)
        metrics.gauge("gateway.panels").set(Int64(panels.count))
        metrics.gauge("gateway.panelsNeedAttention").set(Int64(panels.count { !$0.warnings.isEmpty }))
    }
}
