// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import WidgetSchema

/// The HTTP requests that wait for the verdict on a cycle.
final class UpdateWaiters: Sendable {
    private struct Waiter {
        let number: UInt64
        let sequence: SequenceNumber
        let continuation: CheckedContinuation<StreamedUpdate?, Never>
    }

    private struct State {
        var waiters: [WidgetID: [Waiter]] = [:]
        var number: UInt64 = 0
    }

    private let state = Lock(State())
    private let view: BusView

    init(view: BusView) { self.view = view }

    /// Wakes the requests that wait for a cycle of the update's widget, up to and including the last cycle that
    /// `update` covers.
    ///
    /// Must be called after the update was added to the `BusView`.
    func take(_ update: StreamedUpdate) {
        let ready = state.withLock { state -> [Waiter] in
            guard let waiters = state.waiters[update.widget] else { return [] }
            let left = waiters.filter { $0.sequence > update.range.sequence }
            state.waiters[update.widget] = left.isEmpty ? nil : left
            return waiters.filter { $0.sequence <= update.range.sequence }
        }
        for waiter in ready { waiter.continuation.resume(returning: update) }
    }

    /// Waits for an update of the widget that covers the cycle `sequence` or a later cycle, and returns this update.
    ///
    /// Returns nil if no such update arrives within `timeout`, or if the task is cancelled.
    func update(of widget: WidgetID, reaching sequence: SequenceNumber, within timeout: Duration) async
        -> StreamedUpdate?
    {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let timer = Task {
            try await Task.sleep(for: timeout)
            giveUp(widget, number)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> StreamedUpdate? in
                    if let update = view[widget], update.range.sequence >= sequence { return update }
                    let waiter = Waiter(number: number, sequence: sequence, continuation: continuation)
                    state.waiters[widget, default: []].append(waiter)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
                if Task.isCancelled { giveUp(widget, number) }
            }
        } onCancel: {
            giveUp(widget, number)
        }
    }

    private func giveUp(_ widget: WidgetID, _ number: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters[widget]?.firstIndex(where: { $0.number == number }) else { return nil }
            let waiter = state.waiters[widget]?.remove(at: index)
            if state.waiters[widget]?.isEmpty == true { state.waiters[widget] = nil }
            return waiter
        }
        waiter?.continuation.resume(returning: nil)
    }
}
