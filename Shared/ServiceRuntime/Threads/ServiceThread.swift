// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A thread for one blocking loop: Swift's own pool has as many threads as cores, and none to spare for waiting.
public enum ServiceThread {
    /// Stack of a service thread.
    public static let stackBytes = 1 << 20

    /// Runs `body` on a new thread, and returns what it returned once it has.
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

    /// Runs `body` on a new thread that nobody waits for.
    public static func start(named name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        thread.stackSize = stackBytes
        thread.start()
    }
}
