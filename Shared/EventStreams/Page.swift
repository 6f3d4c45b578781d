// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A page of records of many widgets: ascending by widget id, then in the order given.
public struct Page<Record> {
    public var records: [Record]
    /// How many bytes they take.
    public var bytes: Int
    /// Whether something did not fit.
    public var more: Bool

    /// Fills a page with the records of these widgets, up to `limit` bytes.
    ///
    /// `load` is called for one widget after the other, until the page is full, and says of each record how many bytes it
    /// takes in the answer. The first record goes in whatever its size, so that asking again always gets on.
    public init<Failure: Error>(
        of widgets: some Sequence<WidgetID>,
        limit: Int = MessageLimits.page,
        load: (WidgetID) throws(Failure) -> [(record: Record, bytes: Int)]
    ) throws(Failure) {
        records = []
        bytes = 0
        more = false
        for widget in widgets.sorted() {
            for (record, size) in try load(widget) {
                // One byte more: the comma.
                guard records.isEmpty || bytes + size + 1 <= limit else {
                    more = true
                    return
                }
                records.append(record)
                bytes += size + 1
            }
        }
    }
}

extension Page: Sendable where Record: Sendable {}
