// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import MessageBus
import WidgetSchema

/// The health that the gateway's heartbeats report: `ready`, or `degraded` while its configuration is not in use.
final class GatewayHealth: Sendable {
    private struct State {
        var isReady = false
        /// The reason why a part of the configuration is not in use; nil if all of it is.
        var problem: String?
        /// A sentence about panels that need attention; nil if none does.
        var attention: String?
    }

    private let state = Lock(State())
    private let client: BusClient

    init(_ client: BusClient) { self.client = client }

    /// Reports from now on that the gateway is ready.
    func becomeReady() { change { $0.isReady = true } }

    /// Sets the reason why a part of the configuration is not in use; nil if all of it is.
    func set(problem: String?) { change { $0.problem = problem } }

    /// Sets the sentence about panels that need attention; nil if none does.
    ///
    /// The gateway is ready all the same.
    func set(attention: String?) {
        guard state.withLock({ $0.attention }) != attention else { return }
        change { $0.attention = attention }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            guard state.isReady else { return }
            let message = [state.problem, state.attention].compactMap { $0 }.joined(separator: " ")
            client.setHealth(state.problem == nil ? .ready : .degraded, message: message.isEmpty ? nil : message)
        }
    }
}
