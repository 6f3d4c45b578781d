// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The sequence numbers near the wall clock that the owner of a store may assign, depending on the timeline of the
/// store's server.
///
/// In a split brain, the owners on two primaries may take numbers from the clock in the same millisecond, and both count
/// on from there. So that no number names two cycles, the numbers are divided into blocks of ``blockSize``, and each
/// block belongs to one of ``timelines`` timelines in turn. A number is therefore ahead of the clock by less than
/// `blockSize * timelines` milliseconds.
struct TimelineSequenceNumbers: Hashable, Sendable {
    /// The number of successive numbers of one timeline.
    static let blockSize: UInt64 = 16
    /// The number of successive timelines whose numbers differ; a split brain has servers of two or three.
    ///
    /// A power of two, so that the remainder of an overflowed difference is right.
    static let timelines: UInt64 = 4

    /// The timeline of the store's server; 0 for a file, and for a server whose timeline is unknown.
    let timeline: UInt32

    /// Returns the lowest number of the timeline that is not below `number`; without a timeline, `number` itself.
    func first(from number: SequenceNumber) -> SequenceNumber {
        guard timeline > 0 else { return number }
        let block = number.number / Self.blockSize
        let distance = (UInt64(timeline) &- block) % Self.timelines
        guard distance > 0 else { return number }
        let (start, overflow) = (block + distance).multipliedReportingOverflow(by: Self.blockSize)
        return overflow ? number : SequenceNumber(start)
    }
}
