// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import WidgetSchema

/// The sender of this gateway's commands to the cache.
///
/// It gives each command a number, and combines simultaneous update requests for the same widget into one. The cache
/// accepts a command only if its number is greater than that of its client's last command for the widget, so commands
/// of one client must not overtake each other. A command for which an origin is fetched is answered late; the gateway
/// therefore sends it in a lane, a client name of its own, so that it delays no other command.
final class CommandSequencer: Sendable {
    typealias Send = @Sendable (_ client: String, _ counter: UInt64) async throws(Problem) -> CycleAnswer
    /// A command that was sent or waits for its turn; its value is the cache's answer.
    typealias Flight = Task<Result<CycleAnswer, Problem>, Never>

    /// The time after a cycle's verdict in which another update request for the widget starts no new cycle.
    ///
    /// Such a request gets the answer to the request that started the cycle. A busy machine may need a second or two to
    /// receive a thousand requests that were sent at the same time. A cycle may take less time than that, so these
    /// requests would otherwise cause several cycles.
    static let sharedAfterVerdict: Duration = .seconds(2)
    /// The maximum number of commands of one widget that wait for an origin; further ones wait for their turn.
    static let fetchLanes = 8

    private struct Place: Hashable {
        let widget: WidgetID
        /// 0 for commands that the cache answers at once; 1 to ``fetchLanes`` for those that may wait for an origin.
        let lane: Int
    }

    private struct UpdateKey: Hashable {
        let widget: WidgetID
        let display: DisplayName?
    }

    private struct State {
        var counter: UInt64 = 0
        /// The number and the task of the last command at each place, until the cache has answered the command.
        var last: [Place: (number: UInt64, flight: Flight)] = [:]
        var updates: [UpdateKey: Flight] = [:]
    }

    private let state = Lock(State())
    /// The name under which this gateway sends commands to the cache.
    private let client: String

    init(nonce: String) { client = "gateway-\(nonce)" }

    /// Sends a command that the cache answers at once with `send`, after the earlier ones for the same widget.
    ///
    /// `send` gets the name of a client and the number of the command, and returns the cache's answer.
    func command(_ widget: WidgetID, _ send: @escaping Send) -> Flight {
        state.withLock { enqueue(Place(widget: widget, lane: 0), send, &$0) }
    }

    /// Sends a command that the cache may answer only after a fetch with `send`; other commands do not wait for it.
    func fetch(_ widget: WidgetID, _ send: @escaping Send) -> Flight {
        state.withLock { enqueue(Self.freeLane(of: widget, $0), send, &$0) }
    }

    /// Requests an update of `widget` with `send`; simultaneous callers share one request.
    ///
    /// `send` sends the request to the cache. If it succeeds, `settle` is called with the answer. `settle` waits until
    /// the cycle in the answer has its verdict, or until a timeout.
    ///
    /// Until `settle` has returned and a further ``sharedAfterVerdict`` has passed, other callers for the same widget
    /// get the same answer; their own closures are not called. If the request fails, only the callers that already wait
    /// get the failure. Callers with a `display` share the request only until it is answered, because each of them
    /// expects that this display shows its next value.
    func update(
        _ widget: WidgetID,
        on display: DisplayName?,
        settle: @escaping @Sendable (CycleAnswer) async -> Void,
        _ send: @escaping Send
    ) -> Flight {
        let key = UpdateKey(widget: widget, display: display)
        let (flight, isNew) = state.withLock { state -> (Flight, Bool) in
            if let known = state.updates[key] { return (known, false) }
            let flight = enqueue(Self.freeLane(of: widget, state), send, &state)
            state.updates[key] = flight
            return (flight, true)
        }
        if isNew {
            Task {
                if case .success(let answer) = await flight.value, display == nil {
                    await settle(answer)
                    try? await Task.sleep(for: Self.sharedAfterVerdict)
                }
                state.withLock { $0.updates[key] = nil }
            }
        }
        return flight
    }

    /// Returns the place of a lane without a command; if there is none, that of the lane with the oldest command.
    private static func freeLane(of widget: WidgetID, _ state: State) -> Place {
        let places = (1...fetchLanes).map { Place(widget: widget, lane: $0) }
        let oldest = places.min { (state.last[$0]?.number ?? 0) < (state.last[$1]?.number ?? 0) }
        return oldest ?? Place(widget: widget, lane: 1)
    }

    private func enqueue(_ place: Place, _ send: @escaping Send, _ state: inout State) -> Flight {
        state.counter += 1
        let number = state.counter
        let before = state.last[place]?.flight
        let name = place.lane == 0 ? client : "\(client)-\(place.lane)"
        let flight = Flight {
            _ = await before?.value
            defer { forget(place, number) }
            do throws(Problem) {
                return .success(try await send(name, number))
            } catch {
                return .failure(error)
            }
        }
        state.last[place] = (number, flight)
        return flight
    }

    private func forget(_ place: Place, _ number: UInt64) {
        state.withLock { if $0.last[place]?.number == number { $0.last[place] = nil } }
    }
}

extension Task where Failure == Never {
    /// Waits for the task's value; returns nil if the task still runs after `timeout`.
    ///
    /// The task is not cancelled.
    func value(within timeout: Duration) async -> Success? {
        let (values, continuation) = AsyncStream.makeStream(of: Success?.self)
        let waiter = Task<Void, Never> { _ = continuation.yield(await value) }
        let timer = Task<Void, Never> {
            try? await Task<Never, Never>.sleep(for: timeout)
            continuation.yield(nil)
        }
        defer {
            timer.cancel()
            waiter.cancel()
        }
        for await value in values { return value }
        return nil
    }
}
