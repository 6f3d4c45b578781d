// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Storage

/// The migrations that create and change the tables of the notifier.
///
/// A released migration never changes; each later change of the tables is a new migration with a new number.
enum NotifierMigrations {
    /// The tables since version 3, with which PostgreSQL databases begin.
    private static let widgetTable = """
        CREATE TABLE widget (
            id TEXT NOT NULL PRIMARY KEY,
            sequence BIGINT NOT NULL,
            last_new_data BIGINT,
            had_content INTEGER NOT NULL,
            digests TEXT NOT NULL
        )
        """
    private static let updateTable = """
        CREATE TABLE widget_update (
            widget TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            first BIGINT NOT NULL,
            result TEXT NOT NULL,
            event BLOB NOT NULL,
            PRIMARY KEY (widget, sequence)
        )
        """

    static let all = [
        Migration(
            1,
            """
            CREATE TABLE owner (id INTEGER PRIMARY KEY, token BIGINT NOT NULL);
            INSERT INTO owner (id, token) VALUES (1, 0);
            CREATE TABLE widget (
                id TEXT PRIMARY KEY,
                sequence TEXT NOT NULL,
                last_new_data TEXT,
                had_content INTEGER NOT NULL,
                digests TEXT NOT NULL
            );
            CREATE TABLE widget_update (
                widget TEXT NOT NULL,
                sequence TEXT NOT NULL,
                first TEXT NOT NULL,
                result TEXT NOT NULL,
                event BLOB NOT NULL,
                PRIMARY KEY (widget, sequence)
            );
            """,
            postgreSQL: [
                widgetTable.replacing("INTEGER", with: "BIGINT"), updateTable.replacing("BLOB", with: "BYTEA"),
            ]
        ),
        .movingOwner(2, of: "notifier"),
        // Stores sequence numbers in the form of `SQLValue.unsigned`; before, they were texts of 20 digits.
        Migration(
            3,
            """
            ALTER TABLE widget RENAME TO former_widget;
            \(widgetTable);
            INSERT INTO widget (id, sequence, last_new_data, had_content, digests)
            SELECT id, CAST(sequence AS INTEGER) - 9223372036854775807 - 1,
                CAST(last_new_data AS INTEGER) - 9223372036854775807 - 1, had_content, digests
            FROM former_widget;
            DROP TABLE former_widget;
            ALTER TABLE widget_update RENAME TO former_update;
            \(updateTable);
            INSERT INTO widget_update (widget, sequence, first, result, event)
            SELECT widget, CAST(sequence AS INTEGER) - 9223372036854775807 - 1,
                CAST(first AS INTEGER) - 9223372036854775807 - 1, result, event
            FROM former_update;
            DROP TABLE former_update;
            """
        ),
        // `stream_offset` is 0 for an update of an earlier epoch, and for an update of a version without offsets.
        Migration(
            4,
            """
            ALTER TABLE widget_update ADD COLUMN stream_offset BIGINT NOT NULL DEFAULT 0;
            CREATE INDEX widget_update_stream_offset ON widget_update (stream_offset);
            CREATE TABLE stream (id INTEGER PRIMARY KEY, epoch TEXT NOT NULL, last_offset BIGINT NOT NULL);
            """,
            postgreSQL: [
                "ALTER TABLE widget_update ADD COLUMN stream_offset BIGINT NOT NULL DEFAULT 0",
                "CREATE INDEX widget_update_stream_offset ON widget_update (stream_offset)",
                """
                CREATE TABLE stream (
                    id INTEGER NOT NULL PRIMARY KEY,
                    epoch TEXT NOT NULL,
                    last_offset BIGINT NOT NULL
                )
                """,
            ]
        ),
        // The column `last_offset` is no longer read or written. It stays, so that a running owner of an earlier
        // version can still commit. An earlier version that starts later refuses the store, as it would read the column.
        .ofBoth(5, "UPDATE stream SET last_offset = last_offset;"),
        // `changed` has the time of the last change of each display in `digests`; null in rows of earlier versions.
        .ofBoth(6, "ALTER TABLE widget ADD COLUMN changed TEXT;"),
        // `committed` has the time of the last cycle's commit; null in rows of earlier versions. `announced` is
        // null if it is equal to `digests`.
        .ofBoth(7, "ALTER TABLE widget ADD COLUMN committed BIGINT; ALTER TABLE widget ADD COLUMN announced TEXT;"),
    ]
}
