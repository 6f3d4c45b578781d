// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A page of records of many widgets, filled in the order of the widgets' ids until a record does not fit.
public struct Page<Record> {
    /// The maximum total size of the records, in bytes.
    public let limit: Int
    public private(set) var records: [Record] = []
    /// The total size of the records, in bytes.
    public private(set) var bytes = 0
    /// A Boolean value that indicates whether a record did not fit, so that another page follows.
    public private(set) var more = false

    /// Creates an empty page.
    public init(limit: Int = MessageLimits.page) { self.limit = limit }

    /// Adds a record that takes `size` bytes in the answer.
    ///
    /// Returns false if the record does not fit; in this case, the page is full. The first record is always added,
    /// whatever its size, so that repeated requests make progress.
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

    /// Creates a page with the records of these widgets: ascending by widget id, and within each widget in the order
    /// that `load` returns.
    ///
    /// `load` is called for one widget after another until the page is full. It returns each record with its size in
    /// bytes in the answer.
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
