// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Finds out that the thread which reads an inbox hangs: it took a batch and has not come back for the next one.
///
/// A value type without clock. Time during which nobody looked does not count: the whole process stood still then.
package struct ReaderWatch: Sendable {
    /// The observation of the reader in one look.
    package struct Reading: Equatable, Sendable {
        /// The number of times that the reader asked for a batch; zero before the first time.
        package var batches: UInt64
        /// A Boolean value that indicates whether the reader waits for elements.
        package var isWaiting: Bool

        package init(batches: UInt64, isWaiting: Bool) {
            self.batches = batches
            self.isWaiting = isWaiting
        }
    }

    private let timeout: Duration
    private let interval: Duration
    private var last: (reading: Reading, at: ContinuousClock.Instant)?
    private var busyTime: Duration = .zero

    /// Creates a watch that is asked each `interval`; of a longer pause only twice that counts.
    package init(timeout: Duration, interval: Duration) {
        self.timeout = timeout
        self.interval = interval
    }

    /// The time since the reader took its batch, as far as it counts.
    package var silence: Duration { busyTime }

    package var isHanging: Bool { busyTime >= timeout }

    /// Returns the time of the next look.
    package var nextLook: ContinuousClock.Instant? { last.map { $0.at + interval } }

    package mutating func look(_ reading: Reading, now: ContinuousClock.Instant) {
        defer { last = (reading, now) }
        guard let last, reading.batches > 0, !reading.isWaiting, reading.batches == last.reading.batches else {
            busyTime = .zero
            return
        }
        busyTime += min(now - last.at, interval * 2)
    }
}
