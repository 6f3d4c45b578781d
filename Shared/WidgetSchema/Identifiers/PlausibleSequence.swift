// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The upper bound for unsolicited sequence numbers.
///
/// The cache starts each widget at the Unix time in milliseconds and adds one per cycle, so a genuine number is never
/// far ahead of the clock.
///
/// Anyone who can reach the bus can publish a number; a consumer that stored 2^64-1 would drop every later cycle.
public enum PlausibleSequence {
    /// The maximum difference between a number and the wall clock, or the consumer's own position: one day, in
    /// milliseconds.
    public static let leadMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Returns the largest number that a consumer at `position` accepts.
    ///
    /// The position counts because a consumer's clock may be wrong, and the numbers that it has stored are genuine.
    public static func latest(after position: SequenceNumber = .zero, at now: Instant) -> SequenceNumber {
        let base = max(UInt64(max(0, now.milliseconds)), position.number)
        let (sum, overflow) = base.addingReportingOverflow(UInt64(leadMilliseconds))
        return SequenceNumber(overflow ? .max : sum)
    }
}
