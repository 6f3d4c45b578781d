// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import WidgetSchema

/// The numbering of the updates in the stream of all widgets: the store's epoch, and the last assigned offset.
///
/// The only row of the table `stream` contains the epoch. The last assigned offset is the highest one of a stored
/// update, because the newest update of a widget is never deleted.
enum UpdateNumbering {
    /// The number of widgets whose statements are sent together.
    private static let widgetsAtOnce = 500

    static let query = """
        SELECT epoch, COALESCE((SELECT MAX(stream_offset) FROM widget_update), 0) FROM stream WHERE id = 1
        """

    /// Returns the position of the last update in the stream of all widgets.
    ///
    /// `row` is the result row of the SQL statement ``query``. `path` is the path of the database, for the error.
    static func end(_ row: borrowing Row, path: String?) throws -> StreamOffset {
        let text = try row.text(0)
        guard let epoch = StreamEpoch(rawValue: text) else {
            throw NotifierStoreError(path: path, widget: "", problem: "'\(text)': \(StreamEpoch.rule)")
        }
        return StreamOffset(epoch: epoch, number: UInt64(clamping: try row.integer(1)))
    }

    /// Begins a new epoch, in which only the last update of each widget has an offset.
    ///
    /// Called if the store is new, was restored, or is from a version without offsets.
    static func prepare(_ transaction: borrowing Transaction) throws {
        var end = StreamOffset(epoch: .random(), number: 0)
        let updates = try transaction.query(
            """
            SELECT widget, sequence, event FROM widget_update WHERE NOT EXISTS (
                SELECT 1 FROM widget_update AS later
                WHERE later.widget = widget_update.widget AND later.sequence > widget_update.sequence
            ) ORDER BY sequence, widget
            """
        ) { row in (widget: try row.text(0), sequence: try row.unsigned(1), event: try row.blob(2)) }
        // Per widget, because one statement about all updates of a large store exceeds the time for an answer of a server.
        for start in stride(from: 0, to: updates.count, by: widgetsAtOnce) {
            try transaction.execute(
                "UPDATE widget_update SET stream_offset = 0 WHERE widget = $1 AND stream_offset > 0",
                sets: updates[start..<min(start + widgetsAtOnce, updates.count)].map { [.text($0.widget)] }
            )
        }
        var numbered: [[SQLValue]] = []
        for update in updates {
            // An unreadable update gets no offset in this epoch; the widget's next update gets one.
            guard var known = try? WireJSON.decode(Event<Update>.self, from: update.event) else { continue }
            end = end.next
            known.offset = end
            let event = try UpdateFrame.encode(known).bytes
            let offset = Int64(clamping: end.number)
            numbered.append([.integer(offset), .blob(event), .text(update.widget), .unsigned(update.sequence)])
        }
        for start in stride(from: 0, to: numbered.count, by: widgetsAtOnce) {
            try transaction.execute(
                "UPDATE widget_update SET stream_offset = $1, event = $2 WHERE widget = $3 AND sequence = $4",
                sets: Array(numbered[start..<min(start + widgetsAtOnce, numbered.count)])
            )
        }
        try transaction.execute(
            """
            INSERT INTO stream (id, epoch, last_offset) VALUES (1, $1, 0)
            ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch
            """,
            [.text(end.epoch.rawValue)]
        )
    }
}
