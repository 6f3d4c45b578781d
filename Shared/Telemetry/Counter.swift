// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization

/// A number that only increases, such as the number of requests since the process started.
///
/// Safe on any thread.
public final class Counter: Sendable {
    private let atomic = Atomic<Int64>(0)

    init() {}

    public var value: Int64 { atomic.load(ordering: .relaxed) }

    public func increment(by amount: Int64 = 1) {
        atomic.wrappingAdd(amount, ordering: .relaxed)
    }
}
