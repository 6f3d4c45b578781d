// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import Synchronization
import Telemetry

/// A log with one line for each answered request, up to a maximum number of lines per second.
final class AccessLog: Sendable {
    /// The maximum number of lines per second, so that a flood of requests does not fill the disk.
    static let linesPerSecond = 500

    private struct Second {
        var start: ContinuousClock.Instant
        var lines = 0
        var dropped = 0
    }

    private let second: Lock<Second>
    private let isOn: Atomic<Bool>
    private let log: Logger
    private let limit: Counter

    init(isOn: Bool, log: Logger, metrics: Metrics, now: ContinuousClock.Instant = .now) {
        self.isOn = Atomic(isOn)
        self.log = log
        limit = metrics.limit("gateway.accessLogLines")
        second = Lock(Second(start: now))
    }

    /// Switches the log on or off.
    func set(isOn: Bool) { self.isOn.store(isOn, ordering: .relaxed) }

    /// Writes a line, unless the log is off or the maximum for this second is reached.
    ///
    /// If lines were dropped, a line with their number is written before the first line of a later second.
    func write(_ entry: @autoclosure () -> Logger.Metadata, now: ContinuousClock.Instant = .now) {
        guard isOn.load(ordering: .relaxed) else { return }
        let dropped = second.withLock { second -> Int? in
            var dropped = 0
            if now - second.start >= .seconds(1) {
                dropped = second.dropped
                second = Second(start: now)
            }
            guard second.lines < Self.linesPerSecond else {
                second.dropped += 1
                return nil
            }
            second.lines += 1
            return dropped
        }
        guard let dropped else { return limit.increment() }
        if dropped > 0 {
            log.info(
                "Dropped lines of the access log, because there were too many in one second.",
                [.dropped: dropped, .limit: Self.linesPerSecond]
            )
        }
        log.info("Answered a request.", entry())
    }
}
