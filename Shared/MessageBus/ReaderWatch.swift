// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A detector of a hanging reader: a thread that took a batch from an inbox and has not asked for the next one in time.
///
/// `ReaderWatch` is a value type and reads no clock: the caller passes the time. Time during which the whole process
/// was suspended does not count.
package struct ReaderWatch: Sendable {
    /// The state of the reader at one check.
    package struct Reading: Equatable, Sendable {
        /// The number of times that the reader has asked for a batch.
        package var batches: UInt64
        /// A Boolean value that indicates whether the reader waits for elements.
        package var isWaiting: Bool
    }

    private let timeout: Duration
    private let interval: Duration
    private var last: (reading: Reading, at: ContinuousClock.Instant)?
    private var busyTime: Duration = .zero

    /// Creates a detector; the reader counts as hanging if it needs `timeout` or longer for one batch.
    ///
    /// `interval` is the time between two calls of `look`, the method that checks the reader. If more than twice this
    /// time has passed since the last call, the process was suspended, and only twice the interval is counted.
    package init(timeout: Duration, interval: Duration) {
        self.timeout = timeout
        self.interval = interval
    }

    /// The time that the reader has spent on its current batch; zero if the reader is not busy.
    ///
    /// Time during which the process was suspended does not count.
    package var silence: Duration { busyTime }

    package var isHanging: Bool { busyTime >= timeout }

    /// The time of the next check; nil before the first one.
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
