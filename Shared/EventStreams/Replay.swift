// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The producer's half of the replay rule.
public enum Replay {
    /// The records of one widget that answer a replay from a number.
    ///
    /// The answer starts at the number asked for, whatever was trimmed: the first record stands for everything from there
    /// up to itself, with the state that it has; then come the others as they are. Empty where there is nothing from that
    /// number on. The records ascend by sequence.
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

    /// Returns the number at which the first record of an answer must start instead, or nil if it may stay as it is.
    public static func start(of oldest: SequenceRange, from: SequenceNumber) -> SequenceNumber? {
        // Zero is no cycle: who asks from there wants everything.
        let from = max(from, 1)
        return oldest.first > from ? from : nil
    }

    /// Returns whether a consumer asks for a number that this producer's next cycle will not reach, because one of the
    /// two was restored from a backup.
    public static func asksBeyond(head: SequenceNumber, from: SequenceNumber) -> Bool { from > head.next }
}
