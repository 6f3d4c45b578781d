// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization

/// Tells everyone in a process, once and for good, that it is time to stop.
///
/// Safe on any thread. A service thread that blocks in a wait of its own registers with `onStop` what wakes it; tasks await
/// `wait()`.
public final class StopSignal: Sendable {
    /// Why a process stops.
    public enum Reason: String, Sendable, CustomStringConvertible {
        /// SIGTERM arrived.
        case terminated
        /// SIGINT arrived (Ctrl-C).
        case interrupted
        /// The parent closed its end of standard input, or died.
        case inputEnded
        /// One of the services of the process ended, so the others do.
        case serviceEnded
        /// The process itself decided so.
        case requested

        public var description: String { rawValue }
    }

    /// Takes an action back that `onStop` registered.
    public struct Registration: Sendable {
        fileprivate let signal: StopSignal
        fileprivate let identifier: Int

        /// The action will not start any more; it may be running at this moment.
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

    /// Why it is time to stop; `nil` while it is not.
    public var reason: Reason? { state.withLock { $0.reason } }

    public var isStopped: Bool { reason != nil }

    /// Runs all registered actions on the caller's thread, in the order of their registration; the first call only.
    public func stop(_ reason: Reason = .requested) {
        let actions = state.withLock { state -> [Action] in
            guard state.reason == nil else { return [] }
            state.reason = reason
            defer { state.actions = [] }
            return state.actions
        }
        for action in actions { action.run() }
    }

    /// Runs `action` once at the stop, on the thread that stops; now, if that has been.
    ///
    /// An action only wakes somebody: it returns at once.
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
