// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import SourceParsing
package import WidgetSchema

/// The bodies whose parsing exceeded the limit of processor time; they are not parsed again.
///
/// May be used from any thread.
package final class BodyQuarantine: Sendable {
    /// The default for the maximum number of bodies; if it is exceeded, the oldest body is removed.
    package static let defaultCapacity = 1024

    private struct State {
        var reasons: [ContentDigest: String] = [:]
        var order: [ContentDigest] = []
        var next = 0
    }

    /// The minimum processor time of a parse whose exhaustion puts the body into quarantine.
    ///
    /// A parse with less time says nothing about the body.
    package let minimumTime: Duration
    private let capacity: Int
    private let onInsert: @Sendable (SourceID, String) -> Void
    private let state = Lock(State())

    /// Creates a quarantine.
    ///
    /// `onInsert` is called for each new body, with the source and the reason, on the thread that parsed the body.
    package init(
        capacity: Int = defaultCapacity,
        minimumTime: Duration = ParsingWork.defaultProcessorTime,
        onInsert: @escaping @Sendable (SourceID, String) -> Void = { _, _ in }
    ) {
        self.capacity = max(1, capacity)
        self.minimumTime = minimumTime
        self.onInsert = onInsert
    }

    /// The number of bodies in quarantine.
    package var count: Int { state.withLock { $0.reasons.count } }

    /// Returns the reason why a body is in quarantine; nil if it is not.
    package func reason(for digest: ContentDigest) -> String? {
        state.withLock { $0.reasons[digest] }
    }

    package func insert(_ digest: ContentDigest, of source: SourceID, reason: String) {
        let isNew = state.withLock { state in
            guard state.reasons.updateValue(reason, forKey: digest) == nil else { return false }
            if state.order.count < capacity {
                state.order.append(digest)
            } else {
                state.reasons[state.order[state.next]] = nil
                state.order[state.next] = digest
                state.next = (state.next + 1) % capacity
            }
            return true
        }
        if isNew { onInsert(source, reason) }
    }
}
