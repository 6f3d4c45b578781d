// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The upper bound for the sequence numbers that a consumer accepts from published messages.
///
/// The cache starts each widget at the Unix time in milliseconds and adds one per cycle, so a genuine number is never
/// far ahead of the clock.
///
/// Anyone who can reach the bus can publish a number. Without the bound, a consumer that stored 2^64-1 would drop every
/// later cycle.
public enum PlausibleSequence {
    /// The maximum by which a number may exceed the wall clock or the consumer's position, whichever is higher: one
    /// day, in milliseconds.
    public static let leadMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Returns the largest number that a consumer at `position` accepts.
    ///
    /// The position is taken into account because the consumer's clock may be slow, whereas the numbers that it has
    /// stored are genuine.
    public static func latest(after position: SequenceNumber = .zero, at now: Instant) -> SequenceNumber {
        let base = max(UInt64(max(0, now.milliseconds)), position.number)
        let (sum, overflow) = base.addingReportingOverflow(UInt64(leadMilliseconds))
        return SequenceNumber(overflow ? .max : sum)
    }
}
