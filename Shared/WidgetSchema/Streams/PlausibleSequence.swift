// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The upper bound for the sequence numbers that a consumer accepts from published messages.
///
/// The cache starts the sequence numbers of each widget at the Unix time in milliseconds and adds 1 per cycle, so a
/// genuine sequence number is never far ahead of the clock.
///
/// Anyone who can reach the bus can publish a sequence number. Without the bound, a consumer that stored 2^64-1 would
/// drop every later cycle. The bound depends on the clock alone. If a day above the position were allowed, too, each
/// wrong message could raise a widget by another day, because the cache makes a cycle above each wrong number. A consumer
/// whose clock is slow requests what it drops; layout does not, and the notifier requests it from there.
public enum PlausibleSequence {
    /// The maximum distance of a sequence number above the current Unix time in milliseconds: one day.
    public static let leadMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Returns the largest sequence number that a consumer accepts from a message at the time `now`.
    public static func latest(at now: Instant) -> SequenceNumber {
        SequenceNumber(UInt64(max(0, now.milliseconds)) + UInt64(leadMilliseconds))
    }
}
