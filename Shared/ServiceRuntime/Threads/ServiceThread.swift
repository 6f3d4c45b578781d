// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A thread for a blocking loop.
///
/// Swift's own thread pool is unsuitable for such a loop: the pool has only one thread per core, and the loop would
/// permanently block one of these threads.
public enum ServiceThread {
    /// The stack size of a service thread, in bytes.
    public static let stackBytes = 1 << 20

    /// Runs `body` on a new thread and returns its result.
    public static func run<Value: Sendable>(
        named name: String,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            start(named: name) {
                continuation.resume(with: Result { try body() })
            }
        }
    }

    /// Runs `body` on a new thread without waiting for it.
    public static func start(named name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        thread.stackSize = stackBytes
        thread.start()
    }

    /// Sets the scheduling policy `SCHED_BATCH` for the calling thread and for all threads that it starts later.
    ///
    /// A thread with this policy does not preempt the running thread when it wakes up. It waits until that thread blocks
    /// or has used its time slice of a few milliseconds. If a processor is idle, it starts at once. Returns false if the
    /// system refuses the policy, as a sandbox may; the thread then keeps `SCHED_OTHER`. No privileges are needed
    /// (sched(7)).
    static func useBatchScheduling() -> Bool {
        var priority = sched_param()
        return sched_setscheduler(0, batchPolicy, &priority) == 0
    }

    /// `SCHED_BATCH`, which the module `Glibc` lacks because glibc declares it only with `_GNU_SOURCE`.
    static let batchPolicy: CInt = 3
}
