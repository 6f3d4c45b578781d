// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Synchronization

/// A lock and the state that it guards: the only lock of the project.
///
/// It is a `Mutex` of the standard library. ThreadSanitizer does not see that lock, which is a futex; so in the build of
/// `make sanitize` that defines `THREAD_SANITIZER`, each access also locks a POSIX mutex, which ThreadSanitizer sees.
public struct Lock<State: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<State>
    #if THREAD_SANITIZER
    @usableFromInline let visible = VisibleLock()
    #endif

    @inlinable
    public init(_ state: consuming sending State) { mutex = Mutex(state) }

    /// Calls `body` while no other thread has access to the state, and returns its result.
    ///
    /// `body` must not use the same lock.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if THREAD_SANITIZER
        visible.lock()
        defer { visible.unlock() }
        #endif
        return try mutex.withLock(body)
    }
}
