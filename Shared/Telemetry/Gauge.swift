// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization

/// A number that increases and decreases, such as the number of open connections.
///
/// Safe on any thread.
public final class Gauge: Sendable {
    private let atomic = Atomic<Int64>(0)

    init() {}

    public var value: Int64 { atomic.load(ordering: .relaxed) }

    public func set(_ value: Int64) {
        atomic.store(value, ordering: .relaxed)
    }
}
