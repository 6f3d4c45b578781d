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

    /// The time after a cycle's verdict in which another update request for the widget starts no new cycle.
    ///
    /// Such a request gets the answer to the request that started the cycle. A busy machine may need a second or two to
    /// receive a thousand requests that were sent at the same time. A cycle may take less time than that, so these
    /// requests would otherwise cause several cycles.
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

    /// Requests an update of `widget` with `send` and returns the cache's answer; simultaneous callers share one
    /// request.
    ///
    /// `send` sends the request to the cache. If it succeeds, `settle` is called with the answer. `settle` waits until
    /// the cycle in the answer has its verdict, or until a timeout.
    ///
    /// Until `settle` has returned and a further ``sharedAfterVerdict`` has passed, other callers for the same widget
    /// get the same answer; their own closures are not called. If the request fails, only the callers that already wait
    /// get the failure.
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
