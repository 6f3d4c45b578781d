// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The functions with which a producer answers replay requests.
public enum Replay {
    /// Returns those of a widget's stored `records` that answer a replay request from the sequence number `from` on.
    ///
    /// The records are in ascending order; the answer is empty if there are none. If older records were deleted, the
    /// range of the first record is extended, so that the answer covers all cycles since `from`. The state in the first
    /// record stays the same, and so do all other records.
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

    /// Returns the new start of the range of the oldest record in an answer; nil if the range need not change.
    ///
    /// `oldest` is the current range of this record. An answer must cover all cycles since `from`. If `oldest` begins
    /// later, the new start is `from`, or 1 if `from` is zero.
    public static func start(of oldest: SequenceRange, from: SequenceNumber) -> SequenceNumber? {
        // Zero is not a cycle: a request from zero asks for everything.
        let from = max(from, 1)
        return oldest.first > from ? from : nil
    }
}
