// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The producer's side of a replay.
public enum Replay {
    /// Returns the records of one widget that answer a replay from a sequence number, in ascending order; empty if
    /// there are none.
    ///
    /// The answer starts at the requested number even if older records were trimmed: the range of the first record is
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

    /// Returns the sequence number at which the range of the oldest record must begin, so that the answer begins at
    /// `from`; nil if that range already does.
    public static func start(of oldest: SequenceRange, from: SequenceNumber) -> SequenceNumber? {
        // Zero is not a cycle: a request from zero asks for everything.
        let from = max(from, 1)
        return oldest.first > from ? from : nil
    }

    /// Returns a Boolean value that indicates whether a consumer requests a sequence number after this producer's next
    /// cycle.
    ///
    /// If so, the producer or the consumer was restored from a backup.
    public static func asksBeyond(head: SequenceNumber, from: SequenceNumber) -> Bool { from > head.next }
}
