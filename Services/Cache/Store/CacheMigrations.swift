// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Storage

/// The migrations that create and change the tables of the cache.
///
/// A released migration never changes; each later change of the tables is a migration with a new number.
enum CacheMigrations {
    private static let firstTables = """
        CREATE TABLE widgets (widget TEXT NOT NULL PRIMARY KEY, state BLOB NOT NULL);
        CREATE TABLE cycles (
            widget TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            first BIGINT NOT NULL,
            event BLOB NOT NULL,
            content TEXT,
            PRIMARY KEY (widget, sequence)
        );
        CREATE INDEX cycles_content ON cycles (content);
        CREATE TABLE contents (digest TEXT NOT NULL PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE sources (source TEXT NOT NULL PRIMARY KEY, state BLOB NOT NULL);
        CREATE TABLE source_contents (
            source TEXT NOT NULL,
            parsing TEXT NOT NULL,
            digest TEXT NOT NULL,
            PRIMARY KEY (source, parsing)
        );
        CREATE INDEX source_contents_digest ON source_contents (digest);
        CREATE TABLE leases (
            source TEXT NOT NULL PRIMARY KEY,
            lease TEXT NOT NULL,
            request TEXT NOT NULL,
            expires BIGINT NOT NULL
        );
        CREATE TABLE hosts (host TEXT NOT NULL PRIMARY KEY, state BLOB NOT NULL);
        CREATE TABLE commands (
            client TEXT NOT NULL,
            widget TEXT NOT NULL,
            counter TEXT NOT NULL,
            sequence BIGINT,
            at BIGINT NOT NULL,
            PRIMARY KEY (client, widget)
        );
        """

    /// Migrations 2 to 7 change SQLite databases only: a PostgreSQL database has the columns of 4 and 5 from the beginning,
    /// and `FencedDatabase` creates the table of the owner.
    private static let firstTablesInPostgreSQL =
        firstTables
        .replacing("    content TEXT,", with: "    content TEXT,\n    at BIGINT NOT NULL DEFAULT 0,")
        .replacing("expires BIGINT NOT NULL", with: "expires BIGINT NOT NULL,\n    host TEXT NOT NULL DEFAULT ''")

    static let all = [
        Migration(1, firstTables, postgreSQL: Migration.statements(inPostgreSQL: firstTablesInPostgreSQL)),
        Migration(
            2,
            """
            CREATE TABLE owner (id INTEGER PRIMARY KEY, token BIGINT NOT NULL);
            INSERT INTO owner (id, token) VALUES (1, 0);
            """
        ),
        Migration(
            3,
            """
            ALTER TABLE owner ADD COLUMN commits BIGINT NOT NULL DEFAULT 0;
            ALTER TABLE owner ADD COLUMN file TEXT;
            """
        ),
        // The time at which a cycle was committed, in milliseconds; cycles of earlier versions get 0 and so count as
        // old.
        Migration(4, "ALTER TABLE cycles ADD COLUMN at BIGINT NOT NULL DEFAULT 0;"),
        // The host of the lease's source; empty for leases of earlier versions, which end within minutes.
        Migration(5, "ALTER TABLE leases ADD COLUMN host TEXT NOT NULL DEFAULT '';"),
        .movingOwner(6, of: "cache", commits: "commits", place: "file"),
        // Converts sequence numbers to the form of `SQLValue.unsigned`.
        Migration(
            7,
            """
            UPDATE cycles SET sequence = sequence - 9223372036854775807 - 1, first = first - 9223372036854775807 - 1;
            UPDATE commands SET sequence = sequence - 9223372036854775807 - 1 WHERE sequence IS NOT NULL;
            """
        ),
        // `widgets.displays` is the id of a set of displays; if it is NULL, `state` contains the displays.
        .ofBoth(
            8,
            """
            CREATE TABLE display_sets (id TEXT NOT NULL PRIMARY KEY, displays BLOB NOT NULL);
            ALTER TABLE widgets ADD COLUMN displays TEXT;
            """
        ),
        // The digest of a push's body; NULL if the client sent none.
        .ofBoth(9, "ALTER TABLE commands ADD COLUMN body_digest TEXT;"),
        // `cycles.state` and `cycles.displays` are those of the widget after the cycle; NULL if only `widgets` has them.
        // `widgets.sequence` is the widget's last cycle before its row was written; NULL in rows of earlier versions.
        .ofBoth(
            10,
            """
            ALTER TABLE widgets ADD COLUMN sequence BIGINT;
            ALTER TABLE cycles ADD COLUMN state BLOB;
            ALTER TABLE cycles ADD COLUMN displays TEXT;
            """
        ),
        // 1 if a source that has moved is asked at its configured address; 0 in rows of earlier versions.
        .ofBoth(11, "ALTER TABLE leases ADD COLUMN asks_configured BIGINT NOT NULL DEFAULT 0;"),
    ]
}
