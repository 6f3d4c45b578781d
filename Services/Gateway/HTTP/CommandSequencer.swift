// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Synchronization
import WidgetSchema

/// The sender of this gateway's commands to the cache.
///
/// It gives each command a number, and combines simultaneous update requests for the same widget into one.
final class CommandSequencer: Sendable {
    typealias Send = @Sendable (_ client: String, _ counter: UInt64) async throws(Problem) -> CycleAnswer
    private typealias Flight = Task<Result<CycleAnswer, Problem>, Never>

    /// The time for which an update request is still shared after the verdict of its cycle.
    ///
    /// During this time, a new update request for the same widget gets the answer to the earlier one and starts no
    /// cycle. A busy machine may need a second or two to receive a thousand requests that were sent at the same time. A
    /// cycle may take less time than that, so these requests would otherwise cause several cycles.
    static let sharedAfterVerdict: Duration = .seconds(2)

    private struct State {
        var counter: UInt64 = 0
        /// The number and the task of each widget's last command, until the cache has answered the command.
        var last: [WidgetID: (number: UInt64, flight: Flight)] = [:]
        var updates: [WidgetID: Flight] = [:]
    }

    private let state = Mutex(State())
    /// The name under which this gateway sends commands to the cache.
    private let client: String

    init(nonce: String) { client = "gateway-\(nonce)" }

    /// Sends a command with `send` after the earlier commands for the same widget were answered.
    ///
    /// `send` gets the name of this gateway and the number of the command, and returns the cache's answer.
    ///
    /// The cache accepts a command only if its number is greater than that of this gateway's last command for the
    /// widget, so a command must not overtake an earlier one.
    func command(_ widget: WidgetID, _ send: @escaping Send) async throws(Problem) -> CycleAnswer {
        try await state.withLock { enqueue(widget, send, &$0) }.value.get()
    }

    /// Sends an update request for `widget`, or returns the answer to an earlier request that is still shared.
    ///
    /// `send` sends the request and returns the cache's answer. If the request succeeds, `settle` is called with this
    /// answer. `settle` must return when the verdict of the cycle in the answer has come, or after a timeout. Callers
    /// for the same widget share the request until `settle` has returned, and for `sharedAfterVerdict` after that. For
    /// a caller that shares an earlier request, its own `send` and `settle` are not called. If a request fails, only
    /// the callers that already wait for its answer get the failure; the next caller sends a new request.
    func update(
        _ widget: WidgetID,
        settle: @escaping @Sendable (CycleAnswer) async -> Void,
        _ send: @escaping Send
    ) async throws(Problem) -> CycleAnswer {
        let (flight, isNew) = state.withLock { state -> (Flight, Bool) in
            if let known = state.updates[widget] { return (known, false) }
            let flight = enqueue(widget, send, &state)
            state.updates[widget] = flight
            return (flight, true)
        }
        if isNew {
            Task {
                if case .success(let answer) = await flight.value {
                    await settle(answer)
                    try? await Task.sleep(for: Self.sharedAfterVerdict)
                }
                state.withLock { $0.updates[widget] = nil }
            }
        }
        return try await flight.value.get()
    }

    private func enqueue(_ widget: WidgetID, _ send: @escaping Send, _ state: inout State) -> Flight {
        state.counter += 1
        let number = state.counter
        let before = state.last[widget]?.flight
        let flight = Flight { [client] in
            _ = await before?.value
            defer { forget(widget, number) }
            do throws(Problem) {
                return .success(try await send(client, number))
            } catch {
                return .failure(error)
            }
        }
        state.last[widget] = (number, flight)
        return flight
    }

    private func forget(_ widget: WidgetID, _ number: UInt64) {
        state.withLock { if $0.last[widget]?.number == number { $0.last[widget] = nil } }
    }
}
