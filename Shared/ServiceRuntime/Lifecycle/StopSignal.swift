// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking

/// A signal that stops a process, once and permanently.
///
/// All members may be used on any thread. A blocking thread is woken by an action that was registered with `onStop`; a
/// task awaits `wait()`.
public final class StopSignal: Sendable {
    /// The reason why a process stops.
    public enum Reason: String, Sendable, CustomStringConvertible {
        /// SIGTERM arrived.
        case terminated
        /// SIGINT arrived (Ctrl-C).
        case interrupted
        /// The parent closed its end of standard input, or died.
        case inputEnded
        /// The process stopped itself.
        case requested

        public var description: String { rawValue }
    }

    /// A registered action, which can be cancelled.
    public struct Registration: Sendable {
        fileprivate let signal: StopSignal
        fileprivate let identifier: Int

        /// Cancels the action; has no effect if the action has already begun.
        public func cancel() {
            signal.state.withLock { $0.actions.removeAll { $0.identifier == identifier } }
        }
    }

    private struct Action: Sendable {
        let identifier: Int
        let run: @Sendable () -> Void
    }

    private struct State {
        var reason: Reason?
        var nextIdentifier = 0
        var actions: [Action] = []
    }

    private let state = Lock(State())

    public init() {}

    /// The reason for the stop; nil if the signal was not triggered yet.
    public var reason: Reason? { state.withLock { $0.reason } }

    public var isStopped: Bool { reason != nil }

    /// Triggers the signal: runs all registered actions on the calling thread, in the order of their registration.
    ///
    /// Only the first call has an effect.
    public func stop(_ reason: Reason = .requested) {
        let actions = state.withLock { state -> [Action] in
            guard state.reason == nil else { return [] }
            state.reason = reason
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action.run() }
    }

    /// Registers `action`, which runs once on the thread that calls `stop`.
    ///
    /// If the signal was already triggered, the action runs immediately on the calling thread. An action must return at
    /// once; it should only wake a waiting thread or task.
    @discardableResult
    public func onStop(_ action: @escaping @Sendable () -> Void) -> Registration {
        let identifier = state.withLock { state -> Int? in
            guard state.reason == nil else { return nil }
            state.nextIdentifier += 1
            state.actions.append(Action(identifier: state.nextIdentifier, run: action))
            return state.nextIdentifier
        }
        if identifier == nil { action() }
        return Registration(signal: self, identifier: identifier ?? 0)
    }

    /// Waits until the signal is triggered or the task is cancelled.
    public func wait() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let registration = onStop { continuation.finish() }
        defer { registration.cancel() }
        for await _ in stream {}
    }
}
