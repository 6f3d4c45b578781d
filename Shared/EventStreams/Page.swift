// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A page of records of many widgets, filled in the order of their ids until something does not fit.
public struct Page<Record> {
    /// The maximum size of the records in bytes.
    public let limit: Int
    public private(set) var records: [Record] = []
    /// The size of the records in bytes.
    public private(set) var bytes = 0
    /// A Boolean value that indicates whether a record did not fit.
    public private(set) var more = false

    /// An empty page.
    public init(limit: Int = MessageLimits.page) { self.limit = limit }

    /// Puts in a record that takes so many bytes in the answer; false where it does not fit, and the page is full then.
    ///
    /// The first record goes in whatever its size, so that asking again always gets on.
    public mutating func add(_ record: Record, bytes size: Int) -> Bool {
        // One byte more: the comma.
        guard !more, records.isEmpty || bytes + size + 1 <= limit else {
            more = true
            return false
        }
        records.append(record)
        bytes += size + 1
        return true
    }

    /// Fills a page with the records of these widgets, ascending by id, then in the order given.
    ///
    /// `load` is called for one widget after the other, until the page is full, and says of each record how many bytes it
    /// takes in the answer.
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
