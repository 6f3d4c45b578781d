// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Storage
import WidgetSchema

extension NotifierStore {
    static let schema = StoreSchema(service: ServiceName.notifier.rawValue, migrations: NotifierMigrations.all)

    /// The check of a copy of the store.
    static let check = StoreCheck(schema, tables: tableChecks)

    static let tableChecks = [
        TableCheck("widget", NotifierRows.positionColumns) { row in _ = try rows.position(row) },
        TableCheck("widget_update", NotifierRows.updateColumns + ["widget"]) { row in
            let update = try rows.update(row, of: try rows.widget(try row.text(5)))
            let event: Event<Update>
            do {
                event = try WireJSON.decode(Event<Update>.self, from: update.event)
            } catch {
                throw CorruptStore(column: "widget_update.event", problem: "\(error)")
            }
            guard event.widget == update.widget, event.range == update.range, event.data.result == update.result else {
                throw CorruptStore(
                    column: "widget_update.event",
                    problem: "it is not the event of '\(update.widget)' with \(update.range) and \(update.result)"
                )
            }
        },
        TableCheck("stream", ["epoch", "last_offset"]) { row in _ = try UpdateNumbering.end(row, path: nil) },
    ]

    private static let rows = NotifierRows()
}
