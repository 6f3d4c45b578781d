// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The bound on sequence numbers that arrive without having been asked for.
///
/// The cache starts each widget at the Unix time in milliseconds and adds one for each cycle, so a true number never
/// outruns the clock by much. Anybody who reaches the bus can publish one; a consumer that stored 2^64-1 would drop
/// every later cycle.
public enum PlausibleSequence {
    /// The time by which a number may be ahead of the wall clock, or of the consumer's own position: one day.
    public static let leadMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Returns the largest number that a consumer at `position` believes.
    ///
    /// The position counts because a consumer's clock may be wrong: what it has stored was true.
    public static func latest(after position: SequenceNumber = .zero, at now: Instant) -> SequenceNumber {
        let base = max(UInt64(max(0, now.milliseconds)), position.number)
        let (sum, overflow) = base.addingReportingOverflow(UInt64(leadMilliseconds))
        return SequenceNumber(overflow ? .max : sum)
    }
}
