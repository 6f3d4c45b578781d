// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The upper bound for the sequence numbers that a consumer accepts from published messages.
///
/// The cache starts the sequence numbers of each widget at the Unix time in milliseconds and adds 1 per cycle, so a
/// genuine sequence number is never far ahead of the clock.
///
/// Anyone who can reach the bus can publish a sequence number. Without the bound, a consumer that stored 2^64-1 would
/// drop every later cycle.
public enum PlausibleSequence {
    /// The maximum distance of a sequence number above its reference value: one day, in milliseconds.
    ///
    /// The reference value is the current Unix time in milliseconds or a sequence number that the consumer trusts,
    /// whichever is higher.
    public static let leadMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Returns the largest sequence number that a consumer accepts if it trusts the sequence number `position`.
    ///
    /// The result is ``leadMilliseconds`` plus the higher one of two numbers: `position`, and `now` as Unix time in
    /// milliseconds. `position` counts too, because the consumer's clock may be slow.
    public static func latest(after position: SequenceNumber = .zero, at now: Instant) -> SequenceNumber {
        let base = max(UInt64(max(0, now.milliseconds)), position.number)
        let (sum, overflow) = base.addingReportingOverflow(UInt64(leadMilliseconds))
        return SequenceNumber(overflow ? .max : sum)
    }
}
