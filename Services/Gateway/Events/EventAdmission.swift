// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking

/// A limit on the number of readers, in total and for each client.
final class EventAdmission: Sendable {
    private struct State {
        var total = 0
        var byClient: [String: Int] = [:]
    }

    private let state = Lock(State())
    private let maximum: Int
    private let perClient: Int

    /// Creates a limit; if `perClient` is 0, one client may have any number of readers up to `maximum`.
    init(maximum: Int, perClient: Int) {
        self.maximum = maximum
        self.perClient = perClient
    }

    /// Admits a reader; returns false if a limit is reached.
    func admit(_ client: String) -> Bool {
        state.withLock { state in
            guard state.total < maximum, perClient == 0 || state.byClient[client, default: 0] < perClient else {
                return false
            }
            state.total += 1
            state.byClient[client, default: 0] += 1
            return true
        }
    }

    func release(_ client: String) {
        state.withLock { state in
            state.total -= 1
            let rest = state.byClient[client, default: 1] - 1
            state.byClient[client] = rest > 0 ? rest : nil
        }
    }
}
