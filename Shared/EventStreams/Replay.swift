// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The functions with which a producer answers replay requests.
public enum Replay {
    /// Returns the records that answer a replay request for one widget: those from the sequence number `from` on, in
    /// ascending order; empty if there are none.
    ///
    /// The answer starts at the requested number even if older records were deleted: the range of the first record is
    /// extended down to that number, and its state is unchanged. The other records are unchanged.
    public static func cut<Record: StreamRecord>(
        _ records: some Sequence<Record>,
        from: SequenceNumber
    ) -> [Record] {
        var answer = records.filter { $0.range.sequence >= from }
        if let oldest = answer.first, let first = start(of: oldest.range, from: from) {
            answer[0] = oldest.starting(at: first)
        }
        return answer
    }

    /// Returns the sequence number at which the range of the oldest record in an answer must begin, so that the answer
    /// covers all cycles from `from` on; nil if the range need not change.
    public static func start(of oldest: SequenceRange, from: SequenceNumber) -> SequenceNumber? {
        // Zero is not a cycle: a request from zero asks for everything.
        let from = max(from, 1)
        return oldest.first > from ? from : nil
    }

    /// Returns a Boolean value that indicates whether a consumer requests a replay from a sequence number that this
    /// producer cannot have assigned, because it is after the next cycle.
    ///
    /// If so, the producer or the consumer was restored from a backup. `head` is the producer's latest sequence number.
    public static func asksBeyond(head: SequenceNumber, from: SequenceNumber) -> Bool { from > head.next }
}
