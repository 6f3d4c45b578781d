// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Locking
import ServiceRuntime
import Telemetry
import WidgetSchema

/// The sender of the requests `shown`, which tell the cache when sleeping panels may wake.
///
/// Any thread may set the wakes; the gateway's thread sends what is due.
final class ShownSender: Sendable {
    private let requests = Lock(ShownRequests())

    /// Replaces the expected wakes of all panels; call it after each answer to a panel, and after a start.
    func set(_ wakes: [ExpectedWake]) { requests.withLock { $0.set(wakes) } }

    /// Sends the requests that are due.
    func send(for gateway: GatewayParts, now: Instant = .now) {
        let due = requests.withLock { requests in
            requests.due(
                at: now,
                source: { Self.source(of: $0, gateway) },
                plan: { source in gateway.view.withFetches { $0.fetch(of: source, at: now) } }
            )
        }
        for request in due {
            // The answer only ends the repetitions, so nobody waits for it.
            Task { await send(request, for: gateway) }
        }
    }

    private func send(_ request: ShownRequest, for gateway: GatewayParts) async {
        var answer: ShownAnswer?
        do throws(Problem) {
            answer = try await gateway.ask(.cache, request, timeout: ShownRequests.answerTimeout).result
            gateway.metrics.counter("gateway.shown").increment()
        } catch {
            gateway.metrics.counter("gateway.shownFailures").increment()
            gateway.log.debug(
                "The cache did not take the next wakes of panels; it is told again.",
                [.reason: error.title]
            )
        }
        requests.withLock { $0.take(answer, to: request, at: .now) { Self.source(of: $0, gateway) } }
    }

    /// Returns the source of a widget if it is fetched when it is shown; nil otherwise.
    private static func source(of widget: WidgetID, _ gateway: GatewayParts) -> SourceID? {
        guard let widget = gateway.live.widget(widget), widget.isFetchedWhenShown else { return nil }
        return widget.source?.id
    }
}
