// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization

/// A signal that stops a process, once and permanently.
///
/// Safe on any thread. A service thread that blocks registers the action that wakes it with `onStop`; tasks await
/// `wait()`.
public final class StopSignal: Sendable {
    /// The reason why a process stops.
    public enum Reason: String, Sendable, CustomStringConvertible {
        /// SIGTERM arrived.
        case terminated
        /// SIGINT arrived (Ctrl-C).
        case interrupted
        /// The parent closed its end of standard input, or died.
        case inputEnded
        /// One of the services of the process ended, so the others are stopped.
        case serviceEnded
        /// The process stopped itself.
        case requested

        public var description: String { rawValue }
    }

    /// The registration of an action, which cancels the action.
    public struct Registration: Sendable {
        fileprivate let signal: StopSignal
        fileprivate let identifier: Int

        /// Cancels the action, which may already be running.
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

    private let state = Mutex(State())

    public init() {}

    /// The reason for the stop; nil before it.
    public var reason: Reason? { state.withLock { $0.reason } }

    public var isStopped: Bool { reason != nil }

    /// Runs all registered actions on the calling thread, in the order of their registration.
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

    /// Runs `action` once at the stop, on the thread that calls `stop`; at once if the signal has already stopped.
    ///
    /// An action must return at once; it should only wake a waiting thread or task.
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

    /// Returns at the stop, or when the task is cancelled.
    public func wait() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let registration = onStop { continuation.finish() }
        defer { registration.cancel() }
        for await _ in stream {}
    }
}
