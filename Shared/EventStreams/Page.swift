// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// One page of the answer to a request for records; records are added until one does not fit.
public struct Page<Record> {
    /// The maximum of ``bytes``; only a page with a single record may exceed it.
    public let limit: Int
    public private(set) var records: [Record] = []
    /// The total size of the records in bytes, with one more byte per record for the comma after it.
    public private(set) var bytes = 0
    /// A Boolean value that indicates whether a record did not fit, so that another page follows.
    public private(set) var more = false

    /// Creates an empty page.
    public init(limit: Int = MessageLimits.page) { self.limit = limit }

    /// Adds a record, whose encoded size is `size` bytes, and returns true.
    ///
    /// Returns false if the record does not fit; the page is then full and also rejects all later records. The first
    /// record is always added, whatever its size, so that repeated requests make progress.
    public mutating func add(_ record: Record, bytes size: Int) -> Bool {
        // One more byte for the comma.
        guard !more, records.isEmpty || bytes + size + 1 <= limit else {
            more = true
            return false
        }
        records.append(record)
        bytes += size + 1
        return true
    }

    /// Creates a page with the records of `widgets`.
    ///
    /// `load` is called for one widget after another, in ascending order of their ids, until the page is full. It
    /// returns the records of this widget, each with its encoded size in bytes. The page contains them in the returned
    /// order. `limit` is the maximum of ``bytes``; only a page with a single record may exceed it.
    public init<Failure: Error>(
        of widgets: some Sequence<WidgetID>,
        limit: Int = MessageLimits.page,
        load: (WidgetID) throws(Failure) -> [(record: Record, bytes: Int)]
    ) throws(Failure) {
        self.init(limit: limit)
        for widget in widgets.sorted() {
            for (record, size) in try load(widget) {
                guard add(record, bytes: size) else { return }
            }
        }
    }
}

extension Page: Sendable where Record: Sendable {}
